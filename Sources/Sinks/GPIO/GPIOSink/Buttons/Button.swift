/// What a person can do with one button.
enum Gesture: Hashable, Comparable {
  /// A short press.
  case press
  /// Two short presses.
  case double
  /// Held down for that long.
  case hold(Duration)
}

/// One button: edges and time in, gestures out; a value, and all times are the event clock's.
///
/// - A press acts on its first edge if nothing else is asked of the button. With a hold or a double
///   press it acts on release, or when the second press did not come, since only then is it known
///   to be one; and then a contact no longer than the debounce time is no press at all.
/// - A hold acts when its time is reached, and not again on release.
/// - A double press acts on the first edge of its second press.
/// - What was down before the first edge was seen, and what is stuck or flickers, does nothing.
struct Button {
  /// What is asked of the button.
  struct Rules: Hashable {
    /// Which gestures mean something.
    var gestures: Set<Gesture> = [.press]
    /// How long a contact may bounce.
    var debounce: Duration = .milliseconds(20)
    /// How soon after the first release a second press makes it a double press.
    var doubleTime: Duration = .milliseconds(300)

    var holds: [Duration] {
      gestures.compactMap { if case .hold(let time) = $0 { time } else { nil } }.sorted()
    }
    var actsAtOnce: Bool { gestures == [.press] }
  }

  /// What came of an edge, or of time.
  enum Output: Hashable {
    /// A person did this; the press began at that time.
    case gesture(Gesture, began: Duration)
    /// Down for longer than a person would hold it; told once.
    case stuck
    /// It flickers and is ignored.
    case flooded
    /// It has stopped flickering.
    case quiet
  }

  private enum Phase {
    /// Up.
    case idle
    /// Down since then; holds before that index have acted.
    case down(since: Duration, nextHold: Int)
    /// Down, and nothing comes of it any more.
    case spent(since: Duration, isStuck: Bool)
    /// Up after a first press that began then; it is a single one when the time is over.
    case betweenPresses(began: Duration, until: Duration)
  }

  /// Down for longer than this is worth a line in the log.
  static let stuckTime = Duration.seconds(30)

  private let rules: Rules
  private let holds: [Duration]
  private var contact: Contact
  private var phase: Phase

  /// A button whose line was found like this.
  init(_ rules: Rules, isDown: Bool, at now: Duration) {
    self.rules = rules
    holds = rules.holds
    contact = Contact(isDown: isDown, debounce: rules.debounce)
    phase = isDown ? .spent(since: now, isStuck: false) : .idle
  }

  /// Whether the contact is closed, bounces left out.
  var isDown: Bool { contact.isDown }
  /// Whether its edges are not wanted until `deadline`.
  var isFlooded: Bool { contact.isFlooded }

  /// When to call `advance`, if no edge comes before; nil for a button that rests.
  var deadline: Duration? {
    // A release that waits for its confirmation ends whatever was counted while it was down.
    let next = contact.releasedAt == nil || contact.deadline == nil ? phaseDeadline : nil
    guard let settle = contact.deadline else { return next }
    return next.map { min($0, settle) } ?? settle
  }

  /// Whether the line's level will be asked for at that time.
  func wantsLevel(at now: Duration) -> Bool { contact.deadline.map { $0 <= now } ?? false }

  /// Takes an edge; they come in the order of their stamps.
  mutating func take(_ edge: Edge) -> [Output] {
    let changes = contact.take(edge)
    var outputs = changes.flatMap { apply($0) }
    // A release that is in doubt ends the counting where it began.
    if !contact.isFlooded { outputs += pass(to: contact.releasedAt ?? edge.stamp) }
    return outputs
  }

  /// Tells that edges may have been lost.
  mutating func doubt(at now: Duration) { contact.doubt(at: now) }

  /// Lets time pass; all edges before it were taken.
  ///
  /// - Parameters:
  ///   - now: the event clock.
  ///   - isActive: the line's level, needed when `wantsLevel(at:)`.
  /// - Returns: what came of it, in order.
  mutating func advance(to now: Duration, isActive: Bool) -> [Output] {
    let outputs = contact.settle(isActive: isActive, at: now).flatMap { apply($0) }
    return outputs + pass(to: contact.releasedAt ?? now)
  }

  private var phaseDeadline: Duration? {
    switch phase {
    case .idle: nil
    case .down(let since, let next):
      since + (next < holds.count ? holds[next] : Self.stuckTime)
    case .spent(let since, let isStuck): isStuck ? nil : since + Self.stuckTime
    case .betweenPresses(_, let until): until
    }
  }

  /// What the time alone brings about.
  private mutating func pass(to now: Duration) -> [Output] {
    var outputs: [Output] = []
    while let due = phaseDeadline, due <= now {
      switch phase {
      case .idle: return outputs
      case .down(let since, let next) where next < holds.count:
        outputs.append(.gesture(.hold(holds[next]), began: since))
        phase = .down(since: since, nextHold: next + 1)
      case .down(let since, _), .spent(let since, _):
        outputs.append(.stuck)
        phase = .spent(since: since, isStuck: true)
      case .betweenPresses(let began, _):
        phase = .idle
        outputs += single(began: began)
      }
    }
    return outputs
  }

  private mutating func apply(_ change: Contact.Change) -> [Output] {
    switch change {
    case .pressed(let start): return press(at: start)
    case .released(let end): return release(at: end)
    case .foundDown(let now):
      phase = .spent(since: now, isStuck: false)
      return []
    case .flooded:
      phase = .idle
      return [.flooded]
    case .quiet(let now, let isDown):
      phase = isDown ? .spent(since: now, isStuck: false) : .idle
      return [.quiet]
    }
  }

  private mutating func press(at start: Duration) -> [Output] {
    // A second press is one if it begins in time, even if both are heard of late.
    var outputs: [Output] = []
    if case .betweenPresses(let began, let until) = phase {
      if start < until {
        phase = .spent(since: start, isStuck: false)
        return [.gesture(.double, began: began)]
      }
      outputs = single(began: began)
    }
    if rules.actsAtOnce {
      phase = .spent(since: start, isStuck: false)
      return outputs + [.gesture(.press, began: start)]
    }
    phase = .down(since: start, nextHold: 0)
    return outputs
  }

  private mutating func release(at end: Duration) -> [Output] {
    let outputs = pass(to: end)
    guard case .down(let began, 0) = phase, end - began > rules.debounce else {
      phase = .idle
      return outputs
    }
    if rules.gestures.contains(.double) {
      phase = .betweenPresses(began: began, until: end + rules.doubleTime)
      return outputs
    }
    phase = .idle
    return outputs + single(began: began)
  }

  private func single(began: Duration) -> [Output] {
    rules.gestures.contains(.press) ? [.gesture(.press, began: began)] : []
  }
}

/// One change that a line or a key reported, with the kernel's stamp.
struct Edge: Hashable {
  /// What the line became; for both edges the kernel reads it a little after the edge itself.
  var isActive: Bool
  /// When, on the event clock: CLOCK_MONOTONIC, which nobody can set.
  var stamp: Duration
  /// How many edges were lost just before this one.
  var lost = 0
}

/// What a bouncing contact really did: an edge acts at once, what follows within the debounce time
/// belongs to it.
///
/// A press counts from its first edge. A release counts from its first edge too, but only once the
/// contact has been quiet for the debounce time, so that a bounce in the middle of a hold does not
/// split it. When quiet, the line is read again: edges that were lost cannot leave it wrong.
/// All times are the event clock's.
struct Contact {
  /// What came of an edge, or of time.
  enum Change: Hashable {
    /// Pressed, at that time.
    case pressed(Duration)
    /// Let go, at that time.
    case released(Duration)
    /// Found down without an edge that told when: nobody pressed, as far as we know.
    case foundDown(Duration)
    /// More edges than a person makes: it is ignored from now on.
    case flooded(Duration)
    /// Quiet again after a flood, with the line's level.
    case quiet(Duration, isDown: Bool)
  }

  /// More edges than this in a second are no person's.
  static let edgesPerSecond = 100
  /// More presses than this in a second are no person's.
  static let pressesPerSecond = 20
  /// A contact that bounces for longer than this without a rest is none.
  static let longestBounce = Duration.seconds(1)
  /// How long a flooded contact is left alone; twice this after the last edge it works again.
  static let pause = Duration.milliseconds(400)

  /// Whether it is pressed, bounces left out.
  private(set) var isDown: Bool
  /// Whether its edges are not wanted until `deadline`.
  private(set) var isFlooded = false
  /// When to call `settle`; nil while nothing is open.
  private(set) var deadline: Duration?
  /// The first edge of a release that is not confirmed yet.
  private(set) var releasedAt: Duration?

  private let debounce: Duration
  /// The first edge since the contact was quiet; nil if only the level is in doubt.
  private var firstEdge: Duration?
  /// What the last edge said.
  private var last: Bool
  private var edges = Rate()
  private var presses = Rate()
  private var isNoisy = false

  /// A contact that nothing is known of but its level.
  init(isDown: Bool, debounce: Duration) {
    self.isDown = isDown
    last = isDown
    self.debounce = debounce
  }

  /// Takes an edge; they come in the order of their stamps.
  mutating func take(_ edge: Edge) -> [Change] {
    guard !isFlooded else {
      isNoisy = true
      return []
    }
    var changes: [Change] = []
    // Nobody came in time to read the line when it was quiet: the last edge says how it was.
    if let deadline, deadline <= edge.stamp { changes = settle(isActive: last, at: deadline) }
    edges.count(1 + edge.lost, at: edge.stamp)
    let first = firstEdge ?? edge.stamp
    guard edges.number <= Self.edgesPerSecond, edge.stamp - first <= Self.longestBounce else {
      return changes + [flood(at: edge.stamp)]
    }
    firstEdge = first
    last = edge.isActive
    deadline = edge.stamp + debounce
    if isDown {
      if !edge.isActive, releasedAt == nil { releasedAt = edge.stamp }
    } else if edge.isActive {
      changes.append(press(at: first, now: edge.stamp))
    }
    return changes
  }

  /// Tells that edges may have been lost: the line is read again when it has had time to be quiet.
  mutating func doubt(at now: Duration) {
    guard !isFlooded, deadline == nil else { return }
    deadline = now + debounce
  }

  /// Takes the line's level, once the deadline has come and all edges before it were taken.
  mutating func settle(isActive: Bool, at now: Duration) -> [Change] {
    guard let end = deadline, end <= now else { return [] }
    if isFlooded { return calm(isActive: isActive, at: now) }
    defer { (firstEdge, releasedAt, last) = (nil, nil, isActive) }
    deadline = nil
    guard isActive != isDown else { return [] }
    guard isActive else {
      isDown = false
      return [.released(releasedAt ?? now)]
    }
    guard let firstEdge else {
      isDown = true
      return [.foundDown(now)]
    }
    return [press(at: firstEdge, now: now)]
  }

  private mutating func press(at start: Duration, now: Duration) -> Change {
    presses.count(1, at: now)
    guard presses.number <= Self.pressesPerSecond else { return flood(at: now) }
    isDown = true
    return .pressed(start)
  }

  private mutating func flood(at now: Duration) -> Change {
    (isFlooded, isDown, isNoisy) = (true, false, false)
    (firstEdge, releasedAt) = (nil, nil)
    deadline = now + Self.pause
    return .flooded(now)
  }

  private mutating func calm(isActive: Bool, at now: Duration) -> [Change] {
    guard !isNoisy else {
      isNoisy = false
      deadline = now + Self.pause
      return []
    }
    (isFlooded, isDown, last, deadline) = (false, isActive, isActive, nil)
    (edges, presses) = (Rate(), Rate())
    return [.quiet(now, isDown: isActive)]
  }
}

/// How many of something there were within a second.
private struct Rate {
  private(set) var number = 0
  private var start: Duration?

  mutating func count(_ more: Int, at now: Duration) {
    if let start, now - start < .seconds(1) {
      number += more
    } else {
      (start, number) = (now, more)
    }
  }
}

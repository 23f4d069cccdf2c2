/// What one kind of output is to do over time: a pattern while something is presented, and short
/// answers to presses on top of it.
struct Signal: Hashable {
  /// How a short answer shows.
  enum Answer: Hashable {
    /// Off where it would be on and on where it would be off: seen either way.
    case inverts
    /// On whatever it would be.
    case isOn
  }

  /// A pattern from one time to another.
  struct Part: Hashable {
    var pattern: Pattern
    var start: Duration
    /// Nil without end.
    var end: Duration?
  }

  /// What goes on now; of several that overlap the first decides.
  var parts: [Part] = []
  /// The latest short answer.
  var answer: Range<Duration>?
  let answers: Answer

  /// Whether it is on at that time.
  func isOn(at now: Duration) -> Bool {
    let base = part(at: now).map { $0.pattern.isOn(at: now - $0.start) } ?? false
    guard let answer, answer.contains(now) else { return base }
    return answers == .isOn || !base
  }

  /// When to look again; nil if it stays as it is for ever.
  func nextChange(after now: Duration) -> Duration? {
    var times = parts.flatMap { [$0.start, $0.end] }.compactMap { $0 }
    if let answer { times += [answer.lowerBound, answer.upperBound] }
    if let part = part(at: now), let change = part.pattern.nextChange(after: now - part.start) {
      times.append(part.start + change)
    }
    return times.filter { $0 > now }.min()
  }

  private func part(at now: Duration) -> Part? {
    parts.first { $0.start <= now && ($0.end.map { now < $0 } ?? true) }
  }
}

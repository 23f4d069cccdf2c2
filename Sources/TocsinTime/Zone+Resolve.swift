/// The instants at which a zone's clocks show one local date and time.
public enum Resolution: Hashable, Sendable {
  /// There is exactly one.
  case unique(Instant)
  /// There is none: the clocks were put forward over it.
  ///
  /// The instant is what the time means when read with the offset before the change, `before`;
  /// `after` is the offset after it, both in seconds east of UTC (RFC 5545, 3.3.5).
  case gap(Instant, before: Int32, after: Int32)
  /// There are two, as the clocks were put back over it.
  case fold(first: Instant, second: Instant)

  /// The instant by our rule: in a gap with the offset before the change, in a fold the first.
  public var instant: Instant {
    switch self {
    case .unique(let instant), .gap(let instant, _, _), .fold(let instant, _): instant
    }
  }
}

extension Zone {
  /// Finds the instants at which the zone's clocks show that date and time.
  public func resolve(_ date: CivilDate, _ time: TimeOfDay) -> Resolution {
    let local = Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay)
    // No offset reaches 26 hours, so all answers lie in this window around the local time.
    let reach: Int64 = 26 * 3_600
    let (start, shift) = reduced(local - reach)
    var segment = segment(at: start)
    var first: Int64?
    var gap: Resolution?
    while true {
      let begin = segment == 0 ? Int64.min : transitions[segment - 1].addingSaturating(shift)
      if begin > local + reach { break }
      let hasEnd = segment < transitions.count
      let end = hasEnd ? transitions[segment].addingSaturating(shift) : .max
      let before = offsetSeconds(ofSegment: segment)
      let candidate = local - before
      if candidate >= begin && candidate < end {
        if let first {
          return .fold(first: Instant(seconds: first), second: Instant(seconds: candidate))
        }
        first = candidate
      }
      guard hasEnd else { break }
      let after = offsetSeconds(ofSegment: segment + 1)
      if gap == nil, candidate >= end, local - after < end {
        gap = .gap(
          Instant(seconds: candidate),
          before: Int32(before),
          after: Int32(after)
        )
      }
      segment += 1
    }
    if let first { return .unique(Instant(seconds: first)) }
    // Segments cover all of time, so a local time that none of them holds lies between two.
    return gap ?? .unique(Instant(seconds: local - offsetSeconds(ofSegment: segment)))
  }
}

/// A point in time, in microseconds of POSIX time; it knows no zone.
///
/// One 64-bit word, as a daemon holds many. The range is about 292,000 years either side of 1970;
/// arithmetic stops at the ends instead of trapping.
public struct Instant: Hashable, Sendable {
  /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX.1-2017, 4.16).
  public var microseconds: Int64

  /// The instant that many microseconds after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The instant that many seconds after 1970-01-01T00:00:00Z; stops at the ends of the range.
  public init(seconds: Int64) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    microseconds = overflow ? (seconds < 0 ? .min : .max) : product
  }

  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public var seconds: Int64 {
    let quotient = microseconds / 1_000_000
    return microseconds % 1_000_000 < 0 ? quotient - 1 : quotient
  }

  /// The instant that many microseconds later, earlier if negative; stops at the ends of the range.
  public func advanced(byMicroseconds delta: Int64) -> Instant {
    Instant(microseconds: microseconds.addingSaturating(delta))
  }

  /// The first whole millisecond at or after this instant.
  ///
  /// Text carries milliseconds, so an instant that is to be written and read back rounds up first:
  /// a deadline rounded down would be over before it is reached.
  public var roundedUpToMillisecond: Instant {
    let rest = microseconds % 1_000
    if rest == 0 { return self }
    return advanced(byMicroseconds: rest > 0 ? 1_000 - rest : -rest)
  }
}

extension Instant: Comparable {
  /// Whether the left instant is earlier.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The instant that much later; fractions of a microsecond are dropped.
  public static func + (instant: Instant, duration: Duration) -> Instant {
    instant.advanced(byMicroseconds: duration.microseconds)
  }

  /// The instant that much earlier; fractions of a microsecond are dropped.
  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(microseconds: instant.microseconds.subtractingSaturating(duration.microseconds))
  }

  /// The time from the right instant to the left one, negative if the left one is earlier.
  public static func - (left: Instant, right: Instant) -> Duration {
    .microseconds(left.microseconds.subtractingSaturating(right.microseconds))
  }
}

extension Int64 {
  func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  func subtractingSaturating(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The quotient rounded down, where `/` rounds toward zero; the divisor is positive.
  package func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// How far a zone's clocks are from UTC, and what that is called.
public struct ZoneOffset: Hashable, Sendable {
  /// Seconds east of UTC, within ±26 hours.
  public let seconds: Int32
  /// Whether this is called daylight saving time; it says nothing about the sign of a change.
  public let isDaylight: Bool
  /// The abbreviation, such as "CEST" or "+0545".
  public let abbreviation: String

  /// An offset with its name.
  public init(seconds: Int32, isDaylight: Bool, abbreviation: String) {
    self.seconds = seconds
    self.isDaylight = isDaylight
    self.abbreviation = abbreviation
  }
}

/// A moment at which a zone's offset, its name, or both change.
public struct ZoneTransition: Hashable, Sendable {
  /// The first instant of the new offset.
  public let instant: Instant
  /// What was in force until then.
  public let before: ZoneOffset
  /// What is in force from then on.
  public let after: ZoneOffset

  /// A change from one offset to another.
  public init(instant: Instant, before: ZoneOffset, after: ZoneOffset) {
    self.instant = instant
    self.before = before
    self.after = after
  }
}

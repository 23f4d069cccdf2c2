/// How long to wait before the next try: a few quick ones, then seldom or not at all.
struct RetryPace: Equatable {
  private static let first = Duration.milliseconds(100)
  private static let quick = Duration.seconds(5)
  private static let slow = Duration.seconds(60)

  private var pause = RetryPace.first

  /// The next pause.
  ///
  /// - Parameter isNoticed: whether a change would be noticed without trying.
  /// - Returns: nil if there is no use in trying before something is noticed.
  mutating func next(isNoticed: Bool) -> Duration? {
    guard pause < Self.quick else { return isNoticed ? nil : Self.slow }
    defer { pause = pause * 2 }
    return pause
  }
}

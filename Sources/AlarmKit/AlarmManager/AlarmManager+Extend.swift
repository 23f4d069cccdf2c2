import TocsinModel

/// Beyond Apple's: one minute more.
extension AlarmManager {
  /// Moves the end of a countdown, also of a paused one and of a snooze.
  ///
  /// - Parameters:
  ///   - id: an alarm that counts down or is paused.
  ///   - interval: seconds to add, at most 400 days; below zero takes away, and what is over then rings.
  /// - Returns: the alarm as it stands.
  /// - Throws: `Failure`, such as `wrongState` for one that does not count.
  @discardableResult
  public func extend(id: Alarm.ID, by interval: TimeInterval) throws -> Alarm {
    try act(Intent(.extend, on: id, duration: interval), on: id)
  }
}

import TocsinModel

/// Beyond Apple's: a snooze of another length than the alarm's own.
extension AlarmManager {
  /// Silences a ring and lets it ring again after so many seconds.
  ///
  /// Within the intent of a button that has snoozed the alarm already, this gives the snooze that length.
  ///
  /// - Parameters:
  ///   - id: an alarm that rings.
  ///   - duration: seconds from now, more than 0 and at most 400 days.
  /// - Returns: the alarm as it stands; nil if it is gone, which only an intent can find.
  /// - Throws: `Failure`, such as `wrongState` for one that does not ring or may not be snoozed again.
  @discardableResult
  public func countdown(id: Alarm.ID, duration: TimeInterval) throws -> Alarm? {
    if let running = RunningIntent.current, running.manager === self, running.alarm == id {
      try running.act(.snooze, duration: duration)
      return status(of: id).map { Alarm($0) }
    }
    return try act(Intent(.snooze, on: id, duration: duration), on: id)
  }
}

import TocsinModel

/// Beyond Apple's: a holiday for a repeating alarm.
extension AlarmManager {
  /// Leaves out the next time of a repeating alarm; what it counts down to is its next time.
  ///
  /// - Parameter id: an enabled alarm that repeats.
  /// - Returns: the alarm as it stands; `details(for:)` has the date in `skippedDate`.
  /// - Throws: `Failure`, such as `wrongState` for one that rings once or skips a date already.
  @discardableResult
  public func skipNext(id: Alarm.ID) throws -> Alarm {
    try act(Intent(.skip, on: id), on: id)
  }

  /// Takes `skipNext(id:)` back.
  ///
  /// - Parameter id: an alarm that skips a date.
  /// - Returns: the alarm as it stands.
  /// - Throws: `Failure`, such as `wrongState` for one that skips nothing.
  @discardableResult
  public func undoSkip(id: Alarm.ID) throws -> Alarm {
    try act(Intent(.skip, on: id, undo: true), on: id)
  }
}

import TocsinModel

/// Beyond Apple's: alarms that are kept but do not ring.
extension AlarmManager {
  /// Lets an alarm ring again that was disabled; a timer starts anew.
  ///
  /// - Parameter id: an alarm that is disabled.
  /// - Returns: the alarm as it stands.
  /// - Throws: `Failure`, such as `wrongState` for one that is enabled, and `past` for a fixed date that is
  ///   over.
  @discardableResult
  public func enable(id: Alarm.ID) throws -> Alarm {
    try act(Intent(.enable, on: id), on: id)
  }

  /// Keeps an alarm but lets it neither count nor ring; one that rings falls silent.
  ///
  /// - Parameter id: an alarm that is enabled.
  /// - Returns: the alarm as it stands, with the state `scheduled`.
  /// - Throws: `Failure`, such as `wrongState` for one that is disabled.
  @discardableResult
  public func disable(id: Alarm.ID) throws -> Alarm {
    try act(Intent(.disable, on: id), on: id)
  }
}

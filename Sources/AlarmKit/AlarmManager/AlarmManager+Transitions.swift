import TocsinModel

/// What a program does to alarms that exist.
///
/// Within an intent, `stop`, `countdown` and `cancel` of the intent's own alarm mean the ring that was
/// answered, and do not fail for what the system has done already.
extension AlarmManager {
  /// Deletes an alarm, whatever its state; one that rings falls silent.
  ///
  /// - Parameter id: the alarm.
  /// - Throws: `Failure`, such as `unknownAlarm`.
  public func cancel(id: Alarm.ID) throws {
    try act(.cancel, on: id)
  }

  /// Ends the ring or the countdown under way: a one-shot is gone then, a repeating alarm waits again.
  ///
  /// - Parameter id: an alarm that rings, counts down or is paused.
  /// - Throws: `Failure`, such as `wrongState` for one that waits for its time, which `cancel(id:)` deletes.
  public func stop(id: Alarm.ID) throws {
    try act(.stop, on: id)
  }

  /// Silences a ring and lets it ring again after the alarm's post-alert duration.
  ///
  /// Without a post-alert duration it is the pre-alert one, and without that the daemon's `snooze`.
  ///
  /// - Parameter id: an alarm that rings.
  /// - Throws: `Failure`, such as `wrongState` for one that does not ring or may not be snoozed again.
  public func countdown(id: Alarm.ID) throws {
    try act(.snooze, on: id)
  }

  /// Halts a countdown.
  ///
  /// - Parameter id: an alarm that counts down.
  /// - Throws: `Failure`, such as `wrongState` for one that does not.
  public func pause(id: Alarm.ID) throws {
    try act(.pause, on: id)
  }

  /// Goes on with a halted countdown, from where it was halted.
  ///
  /// - Parameter id: an alarm that is paused.
  /// - Throws: `Failure`, such as `wrongState` for one that is not.
  public func resume(id: Alarm.ID) throws {
    try act(.resume, on: id)
  }

  /// Does what the intent that runs means, or else just what is asked.
  private func act(_ action: AlarmAction, on id: Alarm.ID) throws {
    if let running = RunningIntent.current, running.manager === self, running.alarm == id {
      try running.act(action)
    } else {
      try act(Intent(action, on: id), on: id)
    }
  }
}

package import TocsinModel
package import TocsinTime

/// All that must survive a restart about one alarm.
package struct AlarmRecord: Hashable, Sendable {
  /// What was asked for.
  package var alarm: Alarm
  /// The nominal local date of the occurrence it waits for; nil for fixed instants and timers.
  package var nextDate: CivilDate?
  /// The nominal local date of the last occurrence that rang on a trusted clock.
  package var lastDate: CivilDate?
  /// The nominal local date to leave out.
  package var skips: CivilDate?
  /// How many occurrences there were.
  package var serial: UInt32 = 0
  /// A one-shot that rang on an untrusted clock and was stopped: it waits for the clock's verdict.
  package var isRetired = false
  /// The occurrence under way.
  package var activity: Activity?

  package init(alarm: Alarm) {
    self.alarm = alarm
  }
}

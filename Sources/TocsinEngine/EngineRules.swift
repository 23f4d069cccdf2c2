/// What the daemon's configuration decides about all alarms; durations in microseconds.
package struct EngineRules: Hashable, Sendable {
  /// The length of a snooze that nobody chose otherwise.
  package var snooze: Int64 = 9 * 60_000_000
  /// How long an alert goes on unanswered; 0 rings until answered.
  package var ringFor: Int64 = 10 * 60_000_000
  /// How often an alarm snoozes itself before it counts as missed.
  package var autoSnooze = 3
  /// How often it may be snoozed by hand; nil is without limit.
  package var snoozeLimit: Int?
  /// How late an alert may begin; after that it is missed.
  package var lateGrace: Int64 = 30 * 60_000_000
  /// How long after boot alarms wait for a clock that is not synchronised.
  package var clockWait: Int64 = 10 * 60_000_000
  /// How many alarms are accepted.
  package var alarmLimit = 10_000

  package init() {}
}

/// An alarm as it was at one moment: what was asked for, and what had become of it.
///
/// A snapshot, which does not change by itself; `AlarmManager.alarmUpdates` brings the next.
public struct Alarm: Identifiable, Codable, Sendable {
  /// The identity that the program gave it.
  public typealias ID = UUID

  /// The identity that the program gave it.
  public var id: UUID
  /// When it rings by the clock on the wall; nil for a timer.
  public var schedule: Alarm.Schedule?
  /// The countdown before it rings and the snooze after it.
  public var countdownDuration: Alarm.CountdownDuration?
  /// What it was doing.
  public var state: Alarm.State

  /// What an alarm does.
  public enum State: Codable, Equatable, Hashable, Sendable {
    /// It waits for its time, or for being enabled.
    case scheduled
    /// It counts down: a timer, the time before an alarm, or a snooze.
    case countdown
    /// Its countdown is halted.
    case paused
    /// It rings.
    case alerting
  }

  /// The durations around a ring, in seconds.
  public struct CountdownDuration: Codable, Equatable, Hashable, Sendable {
    /// The length of a timer, or how long before its time an alarm begins to count; above 0.
    public var preAlert: TimeInterval?
    /// The length of a snooze; nil means `preAlert`, and without that what the system is set to.
    public var postAlert: TimeInterval?

    /// Makes the pair.
    ///
    /// - Parameters:
    ///   - preAlert: the length of a timer, or how long before its time an alarm begins to count; above 0.
    ///   - postAlert: the length of a snooze; above 0.
    public init(preAlert: TimeInterval?, postAlert: TimeInterval?) {
      self.preAlert = preAlert
      self.postAlert = postAlert
    }
  }

  package init(
    id: UUID,
    schedule: Alarm.Schedule?,
    countdownDuration: Alarm.CountdownDuration?,
    state: Alarm.State
  ) {
    self.id = id
    self.schedule = schedule
    self.countdownDuration = countdownDuration
    self.state = state
  }
}

/// The durations around a ring, in seconds; short for use in `schedule(id:) { … }`.
public typealias CountdownDuration = Alarm.CountdownDuration

public import TocsinTime

/// What a person asked for: when to ring, for what, and how.
///
/// It holds what was said ("07:00 on weekdays"), never an instant derived from it. An alarm without a
/// schedule is a timer: its `countdown.preAlert` starts when it is accepted.
public struct Alarm: Hashable, Sendable, Identifiable {
  /// The alarm's identity, chosen by whoever schedules it.
  public var id: AlarmID
  /// What it is for; shown and spoken, may be empty.
  ///
  /// At most `AlarmLimits.titleBytes` of UTF-8, as JSON escapes it.
  public var title: String
  /// When it is due on the wall clock; nil for a timer.
  public var schedule: Schedule?
  /// The countdown before the alert and the snooze after it.
  public var countdown: CountdownDuration
  /// False keeps the alarm but lets it neither count nor ring.
  public var isEnabled: Bool
  /// How it sounds, looks and ends; all of it optional.
  public var options: AlarmOptions {
    get { sharedOptions.options }
    set { sharedOptions = SharedOptions(newValue) }
  }
  /// The same, as copies share them.
  package var sharedOptions: SharedOptions

  /// Makes an alarm; a timer has no `schedule` and a `countdown.preAlert`.
  public init(
    id: AlarmID,
    title: String,
    schedule: Schedule? = nil,
    countdown: CountdownDuration = CountdownDuration(),
    isEnabled: Bool = true,
    options: AlarmOptions? = nil
  ) {
    self.id = id
    self.title = title
    self.schedule = schedule
    self.countdown = countdown
    self.isEnabled = isEnabled
    sharedOptions = SharedOptions(options)
  }

  /// Whether it is an alarm on the wall clock or a timer.
  public var kind: AlarmKind { schedule == nil ? .timer : .alarm }
}

/// The two kinds of alarm.
public enum AlarmKind: String, Codable, Sendable, CaseIterable {
  /// Due at a time of the wall clock.
  case alarm
  /// Counts down elapsed time.
  case timer
}

/// The durations around an alert, in seconds, as AlarmKit's `Alarm.CountdownDuration`.
public struct CountdownDuration: Hashable, Sendable, Codable {
  /// The length of a timer, or how long before its due time an alarm begins to count; above 0.
  public var preAlert: Double?
  /// The length of a snooze; nil means `preAlert`, and without that the daemon's default.
  public var postAlert: Double?

  /// Makes the pair; both may be left out.
  public init(preAlert: Double? = nil, postAlert: Double? = nil) {
    self.preAlert = preAlert
    self.postAlert = postAlert
  }
}

/// The state of an alarm, as AlarmKit's `Alarm.State`.
public enum AlarmState: String, Codable, Sendable, CaseIterable {
  /// Waiting for its time, or disabled.
  case scheduled
  /// Counting down to an alert: a timer, the time before an alarm, or a snooze.
  case countdown
  /// A countdown that was halted.
  case paused
  /// Ringing.
  case alerting
}

/// The sizes an alarm must keep within, so that each event about it fits one line of the protocol.
public enum AlarmLimits {
  /// Bytes of UTF-8 in a title, as JSON escapes it.
  public static let titleBytes = 16 * 1024
  /// Bytes of JSON in the options: sound, labels, metadata and buttons together.
  public static let optionsBytes = 32 * 1024
  /// Seconds in a countdown or snooze: 400 days.
  public static let countdownSeconds = 400.0 * 86_400
}

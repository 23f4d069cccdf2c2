public import ActivityKit
import TocsinModel
import TocsinTime

/// Beyond Apple's: all there is to know of an alarm.
extension AlarmManager {
  /// All there is to know of an alarm: what it was set with, when it rings next, who presents it.
  ///
  /// - Parameter id: the alarm.
  /// - Returns: the details as they are now.
  /// - Throws: `Failure`, such as `unknownAlarm`.
  public func details(for id: Alarm.ID) throws -> AlarmDetails {
    let answer = try ask(.show("\(AlarmID(id))"), about: id)
    guard let status = answer.alarms.first else { throw Failure(.unknownAlarm, alarmID: id) }
    return AlarmDetails(status)
  }
}

/// All there is to know of an alarm at one moment.
public struct AlarmDetails: Identifiable, Sendable {
  /// The alarm as `alarms` has it.
  public var alarm: Alarm
  /// The alarm's identity.
  public var id: Alarm.ID { alarm.id }
  /// What it is for, as its presentations show it.
  public var title: String
  /// When it rings next, whatever makes it: its schedule, a countdown or a snooze; nil if it will not.
  public var nextFireDate: Date?
  /// The next time of its schedule, beside a countdown or a snooze under way; nil without one.
  public var nextScheduledDate: Date?
  /// Why that is not the time that was said, such as a clock change; nil if it is.
  public var scheduleNote: String?
  /// When the ring or the countdown under way is or was due; nil if none is.
  public var dueDate: Date?
  /// False while it is kept but does not ring.
  public var isEnabled: Bool
  /// The local date that is left out: year, month and day; nil if none is.
  public var skippedDate: DateComponents?
  /// The countdown under way; nil if none is.
  public var countdown: Countdown?
  /// How often it may be snoozed; nil leaves it to the daemon's setting.
  public var snoozeLimit: Int?
  /// How long it rings unanswered, in seconds; nil leaves it to the daemon's setting.
  public var ringDuration: TimeInterval?
  /// The sound it rings with.
  public var sound: AlertConfiguration.AlertSound
  /// What became of the alert at each sink, while it rings.
  public var receipts: [Receipt]

  private let stored: TocsinModel.Alarm

  /// A countdown under way.
  public struct Countdown: Equatable, Sendable {
    /// Whether it is a snooze.
    public var isSnooze: Bool
    /// Its whole length in seconds.
    public var totalDuration: TimeInterval
    /// Seconds counted before `startDate`, or before it was paused.
    public var previouslyElapsedDuration: TimeInterval
    /// The most recent start or resume; nil while it is paused.
    public var startDate: Date?
    /// When it ends; nil while it is paused.
    public var fireDate: Date?
  }

  /// What became of an alert at one sink.
  public struct Receipt: Equatable, Sendable {
    /// The sink's name in plugins.conf.
    public var sink: String
    /// How it ended, or that it has not.
    public var result: Result
    /// When that was known.
    public var date: Date?
    /// Whether a person asleep would hear it.
    public var isAudible: Bool
    /// What went wrong, in words for a person.
    public var detail: String?

    /// The ways an alert can end at a sink.
    public enum Result: String, Codable, Sendable, CaseIterable {
      /// The sink has not answered yet.
      case pending
      /// It really presents it.
      case presented
      /// It cannot.
      case failed
      /// It did not answer in time.
      case timedOut
    }
  }

  /// What the alarm was set with.
  ///
  /// - Parameter metadata: the type of its metadata.
  /// - Returns: the configuration as it was given to `schedule(id:configuration:)`.
  /// - Throws: `DecodingError` if the metadata is of another type or an intent's type is not in this program.
  public func configuration<Metadata: AlarmMetadata>(
    metadata: Metadata.Type = Metadata.self
  ) throws -> AlarmManager.AlarmConfiguration<Metadata> {
    try AlarmManager.AlarmConfiguration(stored)
  }

  init(_ status: AlarmStatus) {
    stored = status.alarm
    alarm = Alarm(status)
    title = status.alarm.title
    nextFireDate = status.next.map { Date($0) }
    nextScheduledDate = status.scheduled.map { Date($0) }
    scheduleNote = status.note
    dueDate = status.due.map { Date($0) }
    isEnabled = status.alarm.isEnabled
    skippedDate = status.skips.map { date in
      let (year, month, day) = date.components
      return DateComponents(year: year, month: month, day: day)
    }
    countdown = status.countdown.map { Countdown($0) }
    snoozeLimit = status.alarm.options.snoozeLimit
    ringDuration = status.alarm.options.ringFor
    sound = AlertConfiguration.AlertSound(status.alarm.options)
    receipts = (status.receipts ?? []).map { Receipt($0) }
  }
}

extension AlarmDetails.Countdown {
  fileprivate init(_ countdown: Presentation.Countdown) {
    isSnooze = countdown.snooze
    totalDuration = countdown.total
    previouslyElapsedDuration = countdown.elapsed
    startDate = countdown.start.map { Date($0) }
    fireDate = countdown.fire.map { Date($0) }
  }
}

extension AlarmDetails.Receipt {
  fileprivate init(_ receipt: AlertReceipt) {
    sink = receipt.sink
    switch receipt.result {
    case .pending: result = .pending
    case .presented: result = .presented
    case .failed: result = .failed
    case .timedOut: result = .timedOut
    }
    date = receipt.at.map { Date($0) }
    isAudible = receipt.audible
    detail = receipt.detail
  }
}

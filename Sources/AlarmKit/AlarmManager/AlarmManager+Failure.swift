extension AlarmManager {
  /// Why something was not done, in a form that a program can decide by and a person can read.
  ///
  /// All that `AlarmManager` throws is one of these, with three exceptions: `AlarmError` where the limit of
  /// alarms is reached, `CancellationError` where the task was cancelled, and `IntentCodingError` for an
  /// intent that could not be made again after the program was restarted.
  public struct Failure: Error, Equatable, Sendable {
    /// What stood in the way.
    public var reason: Reason
    /// The alarm it is about, if it is about one.
    public var alarmID: Alarm.ID?
    /// What happened, in one sentence without a full stop.
    public var message: String
    /// What to do about it, in one sentence without a full stop.
    public var remedy: String

    /// The things that can stand in the way.
    public enum Reason: Equatable, Sendable {
      /// There is an alarm with this identity.
      case duplicateID
      /// The time is over.
      case past
      /// Something about the alarm cannot be meant; the text says what.
      case invalid(String)
      /// The program may not set alarms.
      case notAuthorized
      /// There is no alarm with this identity, or it is another program's.
      case unknownAlarm
      /// The alarm is not in a state for it; nil if its state is not known.
      case wrongState(Alarm.State?)
      /// The ring or the countdown that was meant is over.
      case noLongerRinging
      /// The machine has no time zone data, so no local time.
      case noTimeZone
      /// No answer came in time; whether it was done is not known.
      case timedOut
      /// Nothing answers: no daemon runs, or the service in this process could not start.
      case unavailable
      /// The disk did not take it.
      case storage
    }

    /// Describes a failure.
    ///
    /// - Parameters:
    ///   - reason: what stood in the way.
    ///   - alarmID: the alarm it is about.
    ///   - message: what happened, in one sentence without a full stop; a general one if nil.
    ///   - remedy: what to do about it, in one sentence without a full stop; a general one if nil.
    public init(
      _ reason: Reason,
      alarmID: Alarm.ID? = nil,
      message: String? = nil,
      remedy: String? = nil
    ) {
      self.reason = reason
      self.alarmID = alarmID
      self.message = message ?? reason.sentence
      self.remedy = remedy ?? reason.remedy
    }
  }
}

extension AlarmManager.Failure: LocalizedError {
  /// What happened, in one sentence.
  public var errorDescription: String? { message }

  /// What stood in the way, in general.
  public var failureReason: String? { reason.sentence }

  /// What to do about it, in one sentence.
  public var recoverySuggestion: String? { remedy }
}

extension AlarmManager.Failure: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String { "\(message) (\(remedy))" }
}

extension AlarmManager.Failure.Reason {
  /// What to do about it, whatever has led to it.
  fileprivate var remedy: String {
    switch self {
    case .duplicateID: "take a new UUID, or change the alarm with update(id:configuration:)"
    case .past: "choose a time that is still to come"
    case .invalid: "change what is named and schedule it again"
    case .notAuthorized:
      "allow the program in the section [access] of plugins.conf, then reload the daemon"
    case .unknownAlarm:
      "look at alarms for those that are left, and at history(for:) for what became of it"
    case .wrongState: "look at the alarm's state in alarms before"
    case .noLongerRinging: "nothing is left to do: it was answered, or its time to ring is over"
    case .noTimeZone: "install the package tzdata, or name the zone's files with TZDIR"
    case .timedOut: "look at alarms whether it was done, then ask again"
    case .unavailable: "start tocsind, or set TOCSIN_ALARMKIT=automatic to do without it"
    case .storage: "make room on the disk, or see why the store cannot be written"
    }
  }

  /// The reason alone, for whoever has no sentence of the service's.
  fileprivate var sentence: String {
    switch self {
    case .duplicateID: "there is an alarm with this identity already"
    case .past: "this time is over"
    case .invalid(let what): what
    case .notAuthorized: "the program may not set alarms"
    case .unknownAlarm: "there is no such alarm"
    case .wrongState(let state?): "the alarm is \(state), which does not allow this"
    case .wrongState(nil): "the alarm is not in a state for this"
    case .noLongerRinging: "this ring is over"
    case .noTimeZone: "there is no time zone data for local times"
    case .timedOut: "no answer came in time"
    case .unavailable: "nothing that keeps alarms answers"
    case .storage: "the store did not take the change"
    }
  }
}

import TocsinModel

extension AlarmManager {
  /// Why an alarm is presented no more.
  public enum ClearReason: Hashable, Sendable {
    /// Somebody stopped it.
    case stopped
    /// It was deleted.
    case cancelled
    /// It was switched off.
    case disabled
    /// It rang for as long as it may, and nobody answered.
    case unanswered
    /// The next time of the same alarm took its place.
    case merged
    /// It goes on, but not here: at other sinks, or the sink is not attached any more.
    case elsewhere
    /// Another reason: it was not accepted, it rang on a wrong clock, or nobody knows.
    case other
  }

  /// An alarm that reached nobody.
  public struct MissedAlarm: Identifiable, Hashable, Sendable {
    /// The alarm; it may be gone by now.
    public var id: Alarm.ID
    /// Its title.
    public var title: String
    /// When it was to ring.
    public var due: Date
    /// What stood in the way.
    public var reason: Reason

    /// What can stand in the way.
    public enum Reason: Hashable, Sendable {
      /// Nothing ran, or the machine slept, when it was due.
      case late
      /// It rang, and nobody answered.
      case unanswered
      /// Its date cannot come any more after a change of the time zone.
      case zone
    }
  }

  /// What a person should know beside alarms, such as that nobody confirmed one.
  public struct SinkNotice: Hashable, Sendable {
    /// How much it matters.
    public var level: Level
    /// One sentence for a person.
    public var text: String
    /// The alarm that it is about, if it is about one.
    public var id: Alarm.ID?

    /// How much a notice matters.
    public enum Level: Hashable, Sendable {
      /// Somebody may not have been woken.
      case critical
      /// Something needs a hand.
      case warning
      /// Good to know.
      case info
    }
  }
}

extension AlarmManager.ClearReason {
  init(_ reason: TocsinModel.ClearReason) {
    switch reason {
    case .stopped: self = .stopped
    case .cancelled: self = .cancelled
    case .disabled: self = .disabled
    case .unanswered, .missed: self = .unanswered
    case .merged: self = .merged
    case .rerouted: self = .elsewhere
    case .clock, .refused, .other: self = .other
    }
  }
}

/// What a presentation has to show of an alarm now.
public struct AlarmPresentationState: Codable, Equatable, Hashable, Sendable {
  /// The alarm.
  public var alarmID: Alarm.ID
  /// What it does, and what is to be shown of that.
  public var mode: Mode

  /// Makes it of an alarm and what it does.
  ///
  /// - Parameters:
  ///   - alarmID: the alarm.
  ///   - mode: what it does.
  public init(alarmID: Alarm.ID, mode: Mode) {
    self.alarmID = alarmID
    self.mode = mode
  }

  /// What an alarm that is shown does.
  public enum Mode: Codable, Equatable, Hashable, Sendable {
    /// It rings.
    case alert(Alert)
    /// It counts down.
    case countdown(Countdown)
    /// Its countdown is halted.
    case paused(Paused)

    /// A ring.
    public struct Alert: Codable, Hashable, Sendable {
      /// The time that it was to ring at, on the machine's clock.
      public var time: Alarm.Schedule.Relative.Time

      /// Makes it of the time that it was to ring at.
      public init(time: Alarm.Schedule.Relative.Time) { self.time = time }
    }

    /// A countdown; the remaining time is drawn from it without further events.
    public struct Countdown: Codable, Hashable, Sendable {
      /// Its whole length in seconds.
      public var totalCountdownDuration: TimeInterval
      /// Seconds counted before `startDate`.
      public var previouslyElapsedDuration: TimeInterval
      /// When it began to count, or went on after a halt.
      public var startDate: Date
      /// When it ends.
      public var fireDate: Date

      /// Makes it of its lengths and dates.
      ///
      /// - Parameters:
      ///   - totalCountdownDuration: its whole length in seconds.
      ///   - previouslyElapsedDuration: seconds counted before `startDate`.
      ///   - startDate: when it began to count, or went on after a halt.
      ///   - fireDate: when it ends.
      public init(
        totalCountdownDuration: TimeInterval,
        previouslyElapsedDuration: TimeInterval,
        startDate: Date,
        fireDate: Date
      ) {
        self.totalCountdownDuration = totalCountdownDuration
        self.previouslyElapsedDuration = previouslyElapsedDuration
        self.startDate = startDate
        self.fireDate = fireDate
      }
    }

    /// A halted countdown.
    public struct Paused: Codable, Hashable, Sendable {
      /// Its whole length in seconds.
      public var totalCountdownDuration: TimeInterval
      /// Seconds counted so far.
      public var previouslyElapsedDuration: TimeInterval

      /// Makes it of its lengths.
      ///
      /// - Parameters:
      ///   - totalCountdownDuration: its whole length in seconds.
      ///   - previouslyElapsedDuration: seconds counted so far.
      public init(
        totalCountdownDuration: TimeInterval,
        previouslyElapsedDuration: TimeInterval
      ) {
        self.totalCountdownDuration = totalCountdownDuration
        self.previouslyElapsedDuration = previouslyElapsedDuration
      }
    }
  }
}

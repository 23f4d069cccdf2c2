extension Alarm {
  /// When an alarm rings.
  public enum Schedule: Codable, Equatable, Hashable, Sendable {
    /// At that instant, whatever happens to time zones; one that is past is refused.
    case fixed(Date)
    /// When the clocks of wherever the machine is show a time.
    case relative(Alarm.Schedule.Relative)

    /// A time on the clock, and the days it counts on.
    public struct Relative: Codable, Equatable, Hashable, Sendable {
      /// The time on the clock.
      public var time: Alarm.Schedule.Relative.Time
      /// The days it counts on.
      public var repeats: Alarm.Schedule.Relative.Recurrence

      /// Makes it of a time and days.
      ///
      /// - Parameters:
      ///   - time: the time on the clock.
      ///   - repeats: the days; without them it rings once, when the clock shows that time next.
      public init(
        time: Alarm.Schedule.Relative.Time,
        repeats: Alarm.Schedule.Relative.Recurrence = .never
      ) {
        self.time = time
        self.repeats = repeats
      }

      /// What a clock shows, to the minute.
      public struct Time: Codable, Equatable, Hashable, Sendable {
        /// The hour, 0...23.
        public var hour: Int
        /// The minute, 0...59.
        public var minute: Int

        /// Makes it of its parts; an alarm with parts out of range is refused.
        ///
        /// - Parameters:
        ///   - hour: 0...23.
        ///   - minute: 0...59.
        public init(hour: Int, minute: Int) {
          self.hour = hour
          self.minute = minute
        }
      }

      /// The days a time counts on.
      public enum Recurrence: Codable, Equatable, Hashable, Sendable {
        /// The next time the clock shows it, once.
        case never
        /// These days of every week; an alarm with none is refused.
        case weekly([Locale.Weekday])
      }
    }
  }
}

/// When an alarm rings: at an instant, or when the clock on the wall shows a time.
public enum Schedule: Hashable, Sendable {
  /// At that instant, whatever happens to zones.
  case fixed(Instant)
  /// When a zone's clocks show a time, on the days it names.
  case wall(WallSchedule)
}

/// What the person said: a time on the clock, the days, and perhaps a zone.
///
/// Kept as said and made into an instant anew each time, so that a change of the zone's rules, or
/// of the machine's zone, moves no alarm on the clock.
public struct WallSchedule: Hashable, Sendable {
  /// The days on which a time counts.
  public enum Days: Hashable, Sendable {
    /// No day was said: the next such time, once.
    case once
    /// That date only.
    case on(CivilDate)
    /// These days of every week.
    case weekly(WeekdaySet)
    /// The dates that the expression names.
    case calendar(CalendarDays)
  }

  /// The time on the clock.
  public var time: TimeOfDay
  /// The days on which the time counts.
  public var days: Days
  /// The name of the zone whose clocks count; nil for those of wherever the machine is.
  public var zone: String?

  /// A schedule of that time, those days and that zone.
  public init(time: TimeOfDay, days: Days = .once, zone: String? = nil) {
    self.time = time
    self.days = days
    self.zone = zone
  }

  /// Whether it can ring more than once.
  public var repeats: Bool {
    switch days {
    case .once, .on: false
    case .weekly, .calendar: true
    }
  }
}

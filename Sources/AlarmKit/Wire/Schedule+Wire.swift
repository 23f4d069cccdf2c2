import TocsinModel
package import TocsinTime

extension Alarm.Schedule {
  /// The schedule as the service knows it.
  ///
  /// - Throws: `AlarmConfigurationError`: `date`, `hour`, `minute`, `noWeekdays`.
  package func wire() throws(AlarmConfigurationError) -> TocsinTime.Schedule {
    switch self {
    case .fixed(let date):
      guard let instant = Instant(date) else {
        throw .date(secondsSince1970: date.timeIntervalSince1970)
      }
      return .fixed(instant)
    case .relative(let relative):
      let (hour, minute) = (relative.time.hour, relative.time.minute)
      guard (0...23).contains(hour) else { throw .hour(hour) }
      guard let time = TimeOfDay(hour: hour, minute: minute) else { throw .minute(minute) }
      switch relative.repeats {
      case .never: return .wall(WallSchedule(time: time))
      case .weekly(let weekdays):
        guard !weekdays.isEmpty else { throw .noWeekdays }
        let days = WeekdaySet(weekdays.map { Weekday($0) })
        return .wall(WallSchedule(time: time, days: .weekly(days)))
      }
    }
  }

  /// The nearest that Apple's words have for a schedule of the service's.
  ///
  /// A time of the machine's own clocks, once or weekly, is `relative`, without its seconds. All else, such as a
  /// calendar expression, one date, or a zone of its own, is `fixed` at the next time it comes to; nil if it
  /// comes to none.
  package init?(_ schedule: TocsinTime.Schedule, next: Instant?) {
    switch schedule {
    case .fixed(let instant): self = .fixed(Date(instant))
    case .wall(let wall):
      switch wall.days {
      case .once where wall.zone == nil:
        self = .relative(Relative(time: Relative.Time(wall.time)))
      case .weekly(let days) where wall.zone == nil:
        self = .relative(
          Relative(
            time: Relative.Time(wall.time),
            repeats: .weekly(days.days.map { Locale.Weekday($0) })
          )
        )
      default:
        guard let next else { return nil }
        self = .fixed(Date(next))
      }
    }
  }
}

extension Alarm.Schedule.Relative.Time {
  init(_ time: TimeOfDay) { self.init(hour: Int(time.hour), minute: Int(time.minute)) }
}

extension Weekday {
  init(_ day: Locale.Weekday) {
    switch day {
    case .monday: self = .mon
    case .tuesday: self = .tue
    case .wednesday: self = .wed
    case .thursday: self = .thu
    case .friday: self = .fri
    case .saturday: self = .sat
    case .sunday: self = .sun
    }
  }
}

extension Locale.Weekday {
  init(_ day: Weekday) {
    switch day {
    case .mon: self = .monday
    case .tue: self = .tuesday
    case .wed: self = .wednesday
    case .thu: self = .thursday
    case .fri: self = .friday
    case .sat: self = .saturday
    case .sun: self = .sunday
    }
  }
}

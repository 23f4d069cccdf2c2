extension Instant {
  /// The date and time on a zone's clocks, such as "Tue 1 Dec 07:30".
  ///
  /// The year is said if it is not the year of `now` there, the seconds if they are not zero.
  public func text(in zone: Zone, now: Instant) -> String {
    let (date, time, _) = zone.local(at: self)
    let isThisYear = date.year == zone.date(at: now).year
    return "\(date.text(withYear: !isThisYear)) \(time)"
  }
}

extension CivilDate {
  /// The date for people, such as "Tue 1 Dec" or "Tue 1 Dec 2026".
  public func text(withYear: Bool) -> String {
    let (year, month, day) = components
    let short = "\(weekday.title) \(day) \(MonthName.short(month))"
    return withYear ? "\(short) \(year)" : short
  }
}

extension Schedule {
  /// The schedule for people, such as "every weekday 07:00" or "Mon, Wed, Fri 06:30".
  public var text: String {
    switch self {
    case .fixed(let instant): instant.rfc3339
    case .wall(let schedule): schedule.text
    }
  }
}

extension WallSchedule {
  /// The schedule for people, with its zone if it has one.
  public var text: String {
    let days =
      switch days {
      case .once: "next"
      case .on(let date): date.text(withYear: true)
      case .weekly(let set): set.text
      case .calendar(let days): days.description
      }
    return "\(days) \(time)" + (zone.map { " \($0)" } ?? "")
  }
}

extension WeekdaySet {
  /// The days for people: "every day", "every weekday", "every Sun", "Mon, Wed, Fri".
  public var text: String {
    if self == .everyDay { return "every day" }
    if self == .weekdays { return "every weekday" }
    let titles = days.map(\.title)
    return switch titles.count {
    case 0: "never"
    case 1: "every \(titles[0])"
    default: titles.joined(separator: ", ")
    }
  }
}

/// The English names of the months.
enum MonthName {
  static let all = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// The three letters of month 1...12.
  static func short(_ month: Int) -> String {
    String(all[(month - 1) % 12].prefix(3))
  }

  /// The month 1...12 with this name in lower case, of three letters or in full, or "sept".
  static func number(_ word: String) -> Int? {
    let index = all.firstIndex { name in
      let name = name.lowercased()
      return word == name || word == String(name.prefix(3))
    }
    return index.map { $0 + 1 } ?? (word == "sept" ? 9 : nil)
  }
}

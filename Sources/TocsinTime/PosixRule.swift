/// A POSIX TZ string: standard time, and daylight saving time with the rule for its days.
///
/// The grammar is POSIX.1-2017, 8.3, with the times of -167...167 hours of RFC 9636, 3.3.1.
struct PosixRule: Hashable, Sendable {
  /// A day of the year, in one of the three ways POSIX knows.
  enum Day: Hashable, Sendable {
    /// `Jn`: 1...365; 29 February is never counted.
    case julian(Int)
    /// `n`: 0...365; 29 February is counted.
    case zeroBased(Int)
    /// `Mm.w.d`: the week 1...5 (5 is the last), the day 0...6 from Sunday.
    case monthWeekDay(month: Int, week: Int, day: Int)
  }

  /// A moment of the year: a day, and seconds after its midnight on the clock then in force.
  struct Change: Hashable, Sendable {
    let day: Day
    let seconds: Int
  }

  struct Daylight: Hashable, Sendable {
    let offset: ZoneOffset
    let start: Change
    let end: Change
  }

  let standard: ZoneOffset
  let daylight: Daylight?
}

extension PosixRule {
  /// POSIX seconds of the start and the end of daylight saving time in that year.
  func changes(in year: Int) -> (start: Int64, end: Int64)? {
    guard let daylight else { return nil }
    return (
      daylight.start.localSeconds(in: year) - Int64(standard.seconds),
      daylight.end.localSeconds(in: year) - Int64(daylight.offset.seconds)
    )
  }
}

extension PosixRule.Change {
  /// Seconds from 1970-01-01T00:00:00 to the change, both read on the local clock.
  func localSeconds(in year: Int) -> Int64 {
    Int64(day.dayNumber(in: year)) * 86_400 + Int64(seconds)
  }
}

extension PosixRule.Day {
  /// Days since 1970-01-01.
  func dayNumber(in year: Int) -> Int {
    let newYear = CivilDate.dayNumber(year: year, month: 1, day: 1)
    switch self {
    case .julian(let day):
      return newYear + day - (CivilDate.isLeap(year) && day >= 60 ? 0 : 1)
    case .zeroBased(let day):
      return newYear + day
    case .monthWeekDay(let month, let week, let day):
      let first = CivilDate.dayNumber(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday, day 4 from Sunday.
      let weekdayOfFirst = ((first + 4) % 7 + 7) % 7
      let firstMatch = (day - weekdayOfFirst + 7) % 7
      let wanted = firstMatch + (week - 1) * 7
      let length = CivilDate.daysIn(month: month, year: year)
      return first + (wanted < length ? wanted : wanted - 7)
    }
  }
}

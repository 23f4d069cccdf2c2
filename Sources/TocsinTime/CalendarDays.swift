/// The dates that a calendar expression names, such as "*-*-01" or "Mon *-*-01..07".
///
/// The language is that of `systemd-analyze calendar` (systemd.time(7), "Calendar Events") without
/// its clock: years 1970...2199, months, days counted from the start of the month or, after `~`,
/// from its end, and weekdays; a date has to satisfy all of them. Lists and steps are kept as bit
/// sets, 16 bytes in all, so that `*-*-1/2` prints as the days it names.
public struct CalendarDays: Hashable, Sendable {
  /// The years named, ascending and apart; empty for every year.
  let years: [YearRange]
  /// Bit n is day n, 1...31; counted from the end of the month if `fromEnd`.
  let days: UInt32
  /// Bit n is month n, 1...12.
  let months: UInt16
  let weekdays: WeekdaySet
  let fromEnd: Bool

  struct YearRange: Hashable, Sendable {
    var first: UInt16
    var last: UInt16
  }

  static let everyMonth: UInt16 = 0x1ffe
  static let everyDay: UInt32 = 0xffff_fffe
  static let years = 1_970...2_199

  init(
    years: [YearRange] = [],
    months: UInt16 = everyMonth,
    days: UInt32 = everyDay,
    fromEnd: Bool = false,
    weekdays: WeekdaySet = .everyDay
  ) {
    self.years = years
    self.months = months
    self.days = days
    // Counting all days from the end names the same dates; one form compares equal.
    self.fromEnd = fromEnd && days != Self.everyDay
    self.weekdays = weekdays
  }

  /// Whether the expression names that date.
  public func contains(_ date: CivilDate) -> Bool {
    let (year, month, day) = date.components
    return dates(in: year, month) & (1 << UInt32(day)) != 0
  }

  /// The first date named that is that date or later; nil if there is none up to 2199.
  public func next(onOrAfter date: CivilDate) -> CivilDate? {
    if weekdays.isEmpty { return nil }
    var (year, month, day) = date.components
    if year < Self.years.lowerBound { (year, month, day) = (Self.years.lowerBound, 1, 1) }
    while year <= Self.years.upperBound {
      if isNamed(year) {
        while month <= 12 {
          let left = dates(in: year, month) & (UInt32.max << UInt32(day))
          if left != 0 {
            return CivilDate(year: year, month: month, day: left.trailingZeroBitCount)
          }
          (month, day) = (month + 1, 1)
        }
      }
      (year, month, day) = (year + 1, 1, 1)
    }
    return nil
  }

  /// The last date named that is that date or earlier; nil if there is none since 1970.
  public func previous(onOrBefore date: CivilDate) -> CivilDate? {
    if weekdays.isEmpty { return nil }
    var (year, month, day) = date.components
    if year > Self.years.upperBound { (year, month, day) = (Self.years.upperBound, 12, 31) }
    while year >= Self.years.lowerBound {
      if isNamed(year) {
        while month >= 1 {
          let left = dates(in: year, month) & (UInt32.max >> UInt32(31 - day))
          if left != 0 {
            return CivilDate(year: year, month: month, day: 31 - left.leadingZeroBitCount)
          }
          (month, day) = (month - 1, 31)
        }
      }
      (year, month, day) = (year - 1, 12, 31)
    }
    return nil
  }

  private func isNamed(_ year: Int) -> Bool {
    years.isEmpty || years.contains { Int($0.first) <= year && year <= Int($0.last) }
  }

  /// The days of that month that are named, bit n for day n.
  private func dates(in year: Int, _ month: Int) -> UInt32 {
    guard Self.years.contains(year), isNamed(year), months & (1 << UInt16(month)) != 0 else {
      return 0
    }
    let length = CivilDate.daysIn(month: month, year: year)
    var dates = days & (UInt32.max >> UInt32(31 - length)) & ~1
    if fromEnd {
      // The last day is bit 1 of the set: mirror bits 1...length.
      dates = 0
      for day in 1...length where days & (1 << UInt32(length + 1 - day)) != 0 {
        dates |= 1 << UInt32(day)
      }
    }
    if weekdays == .everyDay || dates == 0 { return dates }
    let first = Int(
      CivilDate(daysSince1970: Int32(CivilDate.dayNumber(year: year, month: month, day: 1)))
        .weekday.rawValue
    )
    for day in 1...length where weekdays.rawValue & (1 << UInt8((first + day - 1) % 7)) == 0 {
      dates &= ~(1 << UInt32(day))
    }
    return dates
  }
}

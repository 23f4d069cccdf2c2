/// A date of the proleptic Gregorian calendar, in one 32-bit word.
///
/// Held as a day number, so that comparing, stepping and weekdays are integer arithmetic.
public struct CivilDate: Hashable, Sendable {
  /// Days since 1970-01-01, negative before.
  public let daysSince1970: Int32

  /// The date that many days after 1970-01-01.
  public init(daysSince1970: Int32) {
    self.daysSince1970 = daysSince1970
  }

  /// The date of that year, month and day; nil if there is no such date, as 30 February.
  ///
  /// - Parameters:
  ///   - year: -9999...9999; 0 is the year before 1.
  ///   - month: 1...12.
  ///   - day: 1...31.
  public init?(year: Int, month: Int, day: Int) {
    guard (-9_999...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysIn(month: month, year: year)
    else { return nil }
    daysSince1970 = Int32(Self.dayNumber(year: year, month: month, day: day))
  }

  /// The year, the month 1...12 and the day 1...31.
  public var components: (year: Int, month: Int, day: Int) {
    // Counted from 1 March of year 0, so that the leap day is the last of a year and the months
    // before it follow one pattern of 153 days in five months.
    let sinceMarch = Int(daysSince1970) + Self.daysFromMarch0To1970
    let cycle = sinceMarch >= 0 ? sinceMarch / 146_097 : (sinceMarch - 146_096) / 146_097
    let dayOfCycle = sinceMarch - cycle * 146_097
    let leapDays = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
    let yearOfCycle = (dayOfCycle - leapDays) / 365
    let dayOfYear = dayOfCycle - (yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (dayOfYear * 5 + 2) / 153
    let day = dayOfYear - (monthFromMarch * 153 + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
  }

  /// The year; 0 is the year before 1.
  public var year: Int { components.year }

  /// The month, 1...12.
  public var month: Int { components.month }

  /// The day of the month, 1...31.
  public var day: Int { components.day }

  /// The day of the week.
  public var weekday: Weekday {
    // 1970-01-01 was a Thursday, the fourth day counted from Monday.
    let index = ((Int(daysSince1970) + 3) % 7 + 7) % 7
    return Weekday(rawValue: UInt8(index)) ?? .mon
  }

  /// The date that many days later, earlier if negative; stops at the ends of the range.
  public func adding(days: Int) -> CivilDate {
    let (sum, overflow) = Int(daysSince1970).addingReportingOverflow(days)
    let end: Int32 = days < 0 ? .min : .max
    return CivilDate(daysSince1970: overflow ? end : Int32(clamping: sum))
  }

  static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day number of a date known to be valid.
  static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let cycle = marchYear >= 0 ? marchYear / 400 : (marchYear - 399) / 400
    let yearOfCycle = marchYear - cycle * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (monthFromMarch * 153 + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - daysFromMarch0To1970
  }

  private static let daysFromMarch0To1970 = 719_468
}

extension CivilDate: Comparable {
  /// Whether the left date is earlier.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }
}

extension CivilDate: LosslessStringConvertible {
  /// The date as "2027-03-28"; years outside 0...9999 have a sign and as many digits as they need.
  public var description: String {
    let (year, month, day) = components
    return "\(year > 9_999 ? "+" : "")\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  /// Reads "2027-03-28"; nil for anything else and for dates that do not exist.
  public init?(_ description: String) {
    guard description.utf8.count == 10 else { return nil }
    var reader = ByteReader(description)
    guard let date = CivilDate(from: &reader), reader.atEnd else { return nil }
    self = date
  }

  init?(from reader: inout ByteReader) {
    guard let year = reader.number(digits: 4...4),
      reader.take("-") != nil,
      let month = reader.number(digits: 2...2),
      reader.take("-") != nil,
      let day = reader.number(digits: 2...2)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

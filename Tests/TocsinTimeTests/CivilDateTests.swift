import Testing

@testable import TocsinTime

struct CivilDateTests {
  @Test("Ten thousand years of days count up one by one")
  func daysAreConsecutive() throws {
    var number = CivilDate.dayNumber(year: -1, month: 1, day: 1)
    for year in -1...9_999 {
      for month in 1...12 {
        // The ends of each month are where a mistake would show.
        let length = CivilDate.daysIn(month: month, year: year)
        for day in [1, length] {
          let date = try require(CivilDate(year: year, month: month, day: day), "\(year)-\(month)")
          guard Int(date.daysSince1970) == number + day - 1, date.components == (year, month, day)
          else {
            Issue.record("\(year)-\(month)-\(day) became \(date)")
            return
          }
        }
        number += length
      }
    }
  }

  @Test("Only dates that exist are dates")
  func refusesDates() {
    for text in ["2027-02-29", "2100-02-29", "2027-04-31", "2027-00-01", "2027-01-00", "2027-1-1"] {
      #expect(CivilDate(text) == nil, "\(text)")
    }
    for text in ["2028-02-29", "2000-02-29", "0000-02-29", "9999-12-31"] {
      #expect(CivilDate(text)?.description == text)
    }
    #expect(CivilDate(year: Int.max, month: 1, day: 1) == nil)
    #expect(CivilDate(daysSince1970: .max).adding(days: .max).daysSince1970 == .max)
    #expect(CivilDate(daysSince1970: .min).adding(days: .min).daysSince1970 == .min)
    #expect(!CivilDate(daysSince1970: .min).description.isEmpty)
  }

  @Test("Weekdays follow the calendar, before 1970 too")
  func weekdays() throws {
    #expect(try date("1970-01-01").weekday == .thu)
    #expect(try date("1969-12-28").weekday == .sun)
    #expect(try date("2027-03-28").weekday == .sun)
    #expect(try date("2026-12-28").adding(days: 14).description == "2027-01-11")
  }

  @Test("Times of day are strict and come back as written")
  func timesOfDay() {
    for text in ["24:00", "07:60", "7:00", "07:0", "07:00:60", "0700", "07:00:", ""] {
      #expect(TimeOfDay(text) == nil, "\(text)")
    }
    for text in ["00:00", "07:00", "23:59", "07:00:30"] {
      #expect(TimeOfDay(text)?.description == text)
    }
    #expect(TimeOfDay(secondOfDay: -1).description == "23:59:59")
  }
}

import Testing

@testable import TocsinTime

struct CalendarDaysTests {
  /// Expressions with systemd's normal form and first dates from 2027-01-15 on.
  @Test(
    "Dates are those that systemd-analyze calendar prints",
    arguments: [
      ("*-*-1..7", "*-*-01..07", ["2027-02-01", "2027-02-02", "2027-02-03"]),
      ("*-*~1..3", "*-*~01..03", ["2027-01-29", "2027-01-30", "2027-01-31"]),
      ("*-*~7/2", "*-*~01,03,05,07", ["2027-01-25", "2027-01-27", "2027-01-29"]),
      ("*-*~1..7/2", "*-*~01,03,05,07", ["2027-01-25", "2027-01-27", "2027-01-29"]),
      ("11~10..11/2", "*-11~10", ["2027-11-21", "2028-11-21", "2029-11-21"]),
      (
        "fri 60-*~5..22/3", "Fri 2060-*~05,08,11,14,17,20",
        ["2060-02-13", "2060-03-12", "2060-04-23"]
      ),
      ("27-06-02", "2027-06-02", ["2027-06-02"]),
      ("06-02", "*-06-02", ["2027-06-02", "2028-06-02", "2029-06-02"]),
      ("2027..2030/2-*-1", "2027,2029-*-01", ["2027-02-01", "2027-03-01", "2027-04-01"]),
      ("*-1/3-1", "*-01,04,07,10-01", ["2027-04-01", "2027-07-01", "2027-10-01"]),
      ("mon..wed,fri *-*-*", "Mon..Wed,Fri *-*-*", ["2027-01-15", "2027-01-18", "2027-01-19"]),
      ("monday", "Mon *-*-*", ["2027-01-18", "2027-01-25", "2027-02-01"]),
      ("*-*-1,15..17", "*-*-01,15..17", ["2027-01-15", "2027-01-16", "2027-01-17"]),
      ("*~1", "*-*~01", ["2027-01-31", "2027-02-28", "2027-03-31"]),
      ("*-05~01", "*-05~01", ["2027-05-31", "2028-05-31", "2029-05-31"]),
      ("Mon 2027-06-*", "Mon 2027-06-*", ["2027-06-07", "2027-06-14", "2027-06-21"]),
      ("*-*", "*-*-*", ["2027-01-15", "2027-01-16", "2027-01-17"]),
      ("*-02-30", "*-02-30", []),
      ("Mon *-02-29", "Mon *-02-29", ["2044-02-29", "2072-02-29", "2112-02-29"]),
    ]
  )
  func dates(expression: String, normal: String, dates: [String]) throws {
    let days = try require(CalendarDays(expression), expression)
    #expect(days.description == normal)
    #expect(CalendarDays(normal) == days)
    var found: [String] = []
    var from = try date("2027-01-15")
    while found.count < 3, let next = days.next(onOrAfter: from) {
      found.append(next.description)
      from = next.adding(days: 1)
    }
    #expect(Array(found.prefix(dates.count)) == dates)
    #expect(dates.count == 3 || found.count == dates.count)
  }

  @Test(
    "What systemd-analyze calendar refuses is refused",
    arguments: [
      "", "Fri..Mon *-*-*", "fri-mon *-*-*", "*-*~3..1", "*-*-*/5", "*-*-31..1", "Mon, Tue *-*-*",
      "*-*-1..31/0", "*-13-1", "*-*-32", "1960-1-1", "2200-1-1", "*-*-1/40", "*", "Mon.. *-*-*",
      "*-*-2/7..20", "*-*-0", "*-0-1", "*-*-*-*", "Mon Tue *-*-*", "*~*-1", "*-*-1,", "-1", "*-",
      "*-*-1 Mon", "*-*~29", "*-*~26..30", "*-*~1/2", "*-*~9/9",
    ]
  )
  func refusals(expression: String) {
    #expect(CalendarDays(expression) == nil)
  }

  @Test("Stepping forth and back agrees with asking day by day")
  func stepsAgree() throws {
    let start = try date("2027-12-20")
    for text in ["*-*~1", "Mon *-*-1..7", "2028-02-*", "*-2/5~03,07", "Sat,Sun *-*-13"] {
      let days = try require(CalendarDays(text), text)
      let range = (0..<800).map { start.adding(days: $0) }
      let named = range.filter(days.contains)
      var forward: [CivilDate] = []
      var next = days.next(onOrAfter: start)
      while let date = next, date <= range[799] {
        forward.append(date)
        next = days.next(onOrAfter: date.adding(days: 1))
      }
      var backward: [CivilDate] = []
      var previous = days.previous(onOrBefore: range[799])
      while let date = previous, date >= start {
        backward.append(date)
        previous = days.previous(onOrBefore: date.adding(days: -1))
      }
      #expect(!named.isEmpty && forward == named && backward.reversed() == named, "\(text)")
    }
  }
}

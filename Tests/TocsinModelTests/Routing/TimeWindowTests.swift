import Testing
import TocsinTime

@testable import TocsinModel

private func second(_ hour: Int, _ minute: Int = 0) -> Int { hour * 3_600 + minute * 60 }

@Suite("Parts of days")
struct TimeWindowTests {
  @Test(
    "hold the moments between their ends, the second of which is outside",
    arguments: [
      ("8:00-17:30", Weekday.mon, second(8), true), ("8:00-17:30", .mon, second(8) - 1, false),
      ("8:00-17:30", .sun, second(17, 30), false), ("8:00-17:30", .sun, second(17, 29), true),
      ("weekdays 8:00-17:30", .sat, second(9), false),
      ("weekdays 8:00-17:30", .fri, second(9), true),
      ("22:00-7:00", .wed, second(23), true), ("22:00-7:00", .wed, second(6, 59), true),
      ("22:00-7:00", .wed, second(7), false), ("22:00-7:00", .wed, second(21, 59), false),
      // What began on Friday goes on into Saturday; midnight belongs to the day that begins.
      ("fri 22:00-7:00", .sat, second(6), true), ("fri 22:00-7:00", .fri, second(6), false),
      ("fri 22:00-7:00", .sat, second(23), false), ("fri 22:00-7:00", .fri, second(23), true),
      ("mon 22:00-7:00", .mon, 0, false), ("sun 22:00-7:00", .mon, 0, true),
      ("sat 12:00-24:00", .sat, second(24) - 1, true), ("sat 12:00-24:00", .sun, 0, false),
      ("sat 12:00-0:00", .sat, second(24) - 1, true), ("sat 12:00-0:00", .sun, 0, false),
      ("tue 0:00-0:00", .tue, 0, true), ("tue 0:00-0:00", .tue, second(24) - 1, true),
      ("tue 0:00-0:00", .wed, 0, false), ("tue 6:00-6:00", .tue, second(5), false),
      ("tue 6:00-6:00", .tue, second(6), true), ("tue 6:00-6:00", .wed, second(5), true),
      ("tue 6:00-6:00", .wed, second(6), false),
    ]
  )
  func contains(text: String, day: Weekday, second: Int, expected: Bool) throws {
    let window = try TimeWindow(text)
    #expect(window.contains(day, second) == expected)
  }

  @Test(
    "are written in one way however they were said",
    arguments: [
      ("22:00-7:00", "22:00-07:00"), ("daily 0:00-24:00", "00:00-24:00"),
      ("Weekdays 9am-5:30pm", "weekdays 09:00-17:30"),
      ("sat+sun noon - midnight", "weekends 12:00-24:00"),
      ("mon-fri 1:00-2:00", "weekdays 01:00-02:00"),
      ("fri..sun 1:00-2:00", "fri+sat+sun 01:00-02:00"),
      ("mondays wed 1:00:30-2:00", "mon+wed 01:00:30-02:00"),
      ("sun-mon 8:00 am - 9:00 pm", "mon+sun 08:00-21:00"),
      ("mon+tue-wed 1:00-1:00", "mon+tue+wed 01:00-01:00"),
    ]
  )
  func written(text: String, expected: String) throws {
    let window = try TimeWindow(text)
    #expect(window.description == expected)
    let again = try TimeWindow(expected)
    #expect(again == window)
  }

  @Test(
    "say what is wrong, and where",
    arguments: [
      ("", 0, " has no times, write such as weekdays 8:00-17:30, or mon 0:00-24:00"),
      ("weekdys 8:00-9:00", 0, "weekdys is no day, did you mean weekdays?"),
      ("sat fr 8:00-9:00", 4, "fr is no day, did you mean fri?"),
      ("sat 24:00-9:00", 4, "hours go from 0 to 23, did you mean 0:00, which begins the next day?"),
      ("sat 8:00-24:30", 4, "hours go from 0 to 23, write such as 7:30 or 19:30"),
      ("8:00-17", 0, "17 is a number without a unit, did you mean 17:00?"),
      ("8:00-9:00 mon", 0, "9:00mon is no time, write such as 22:00-07:00"),
      (
        "8:00-9:00-10:00", 0,
        "8:00-9:00-10:00 is no part of a day, write such as mon-fri 8:00-17:30"
      ),
      ("-9:00", 0, "nothing is no time, write such as 22:00-07:00"),
    ] as [(String, Int, String)]
  )
  func wrong(text: String, offset: Int, message: String) {
    #expect(throws: ValueText.Unreadable(message: message, offset: offset)) {
      try TimeWindow(text)
    }
  }
}

import Foundation
import Testing

@testable import TocsinTime

struct ScheduleTests {
  @Test(
    "A schedule comes back from JSON as it was",
    arguments: [
      #"{"fixed":"2027-03-28T01:30:00.000Z"}"#,
      #"{"time":"07:00"}"#,
      #"{"time":"07:00:30","zone":"Europe\/Berlin"}"#,
      #"{"repeats":["mon","wed","sun"],"time":"07:00"}"#,
      #"{"date":"2027-03-28","time":"07:00"}"#,
      #"{"calendar":"Mon *-*-01..07","time":"09:00","zone":"UTC"}"#,
    ]
  )
  func roundTrip(json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let schedule = try JSONDecoder().decode(Schedule.self, from: Data(json.utf8))
    #expect(String(decoding: try encoder.encode(schedule), as: UTF8.self) == json)
  }

  @Test("Unknown keys, null and any order of days are taken")
  func tolerant() throws {
    let json = #"{"time":"07:00","repeats":["sun","mon"],"date":null,"colour":"red"}"#
    let schedule = try JSONDecoder().decode(Schedule.self, from: Data(json.utf8))
    let wanted = WallSchedule(time: try clock("07:00"), days: .weekly([.mon, .sun]))
    #expect(schedule == .wall(wanted))
  }

  @Test(
    "Wrong values say what is wanted",
    arguments: [
      (#"{}"#, "\"fixed\" (an instant) or \"time\""),
      (#"{"time":"7:00"}"#, "00:00 to 23:59"),
      (#"{"time":"24:00"}"#, "00:00 to 23:59"),
      (#"{"time":"07:00","date":"2027-02-30"}"#, "a date that exists"),
      (#"{"time":"07:00","repeats":["Mon"]}"#, "is no weekday"),
      (#"{"time":"07:00","repeats":[]}"#, "names no day"),
      (#"{"time":"07:00","calendar":"*-*-32"}"#, "dates such as"),
      (#"{"time":"07:00","date":"2027-03-28","repeats":["mon"]}"#, "not both"),
      (#"{"fixed":"2027-03-28T01:30:00Z","time":"07:00"}"#, "not both"),
      (#"{"fixed":"7:00"}"#, "is no RFC 3339 time"),
      (#"{"time":"07:00","zone":""}"#, "leave it out"),
    ]
  )
  func wrongValues(json: String, text: String) {
    #expect {
      try JSONDecoder().decode(Schedule.self, from: Data(json.utf8))
    } throws: { error in
      error is DecodingError && "\(error)".replacing("\\\"", with: "\"").contains(text)
    }
  }

  @Test("An empty set of days is not written, as it could not be read")
  func emptySet() {
    #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(WallSchedule(time: .midnight, days: .weekly([])))
    }
  }

  @Test("Schedules are written for people")
  func texts() throws {
    let texts: [(WeekdaySet, String)] = [
      (.weekdays, "every weekday 07:00"), (.everyDay, "every day 07:00"),
      ([.mon, .wed, .fri], "Mon, Wed, Fri 07:00"), ([.sun], "every Sun 07:00"),
      (.weekends, "Sat, Sun 07:00"), ([], "never 07:00"),
    ]
    for (days, text) in texts {
      let schedule = Schedule.wall(WallSchedule(time: try clock("07:00"), days: .weekly(days)))
      #expect(schedule.text == text)
    }
  }

  @Test("The year is said where it is another, the seconds where there are some")
  func instantTexts() throws {
    let now = try instant("2026-11-30T12:00:00Z")
    #expect(try instant("2026-12-01T07:30:00Z").text(in: .utc, now: now) == "Tue 1 Dec 07:30")
    #expect(
      try instant("2027-01-01T07:30:05Z").text(in: .utc, now: now) == "Fri 1 Jan 2027 07:30:05"
    )
  }
}

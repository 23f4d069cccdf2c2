import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

@Suite("Changing an alarm")
struct EditTests {
  private let weekdays = Alarm(
    id: id(1),
    title: "Wake up",
    schedule: .wall(
      WallSchedule(
        time: TimeOfDay(secondOfDay: 7 * 3_600),
        days: .weekly(.weekdays),
        zone: "Asia/Tokyo"
      )
    )
  )

  @Test(
    "days and zone stay unless they are named",
    arguments: [
      (["--at", "7:15"], "every weekday 07:15 Asia/Tokyo"),
      (["--on", "weekends"], "Sat, Sun 07:00 Asia/Tokyo"),
      (["--at", "6:00", "--on", "mon"], "every Mon 06:00 Asia/Tokyo"),
      (["--at", "daily 6:00"], "every day 06:00 Asia/Tokyo"),
      (["--tz", "Europe/Berlin"], "every weekday 07:00 Europe/Berlin"),
      (["--date", "2027-01-02"], "Sat 2 Jan 2027 07:00 Asia/Tokyo"),
      (["--at", "2027-01-01T00:00:00Z"], "2027-01-01T00:00:00.000Z"),
    ]
  )
  func schedules(words: [String], expected: String) throws {
    #expect(try edited(weekdays, words).schedule?.text == expected)
  }

  @Test("everything else stays too, and labels and countdowns can be taken away")
  func rest() throws {
    var alarm = weekdays
    alarm.countdown.preAlert = 600
    alarm.options.labels = ["a"]
    alarm.options.sound = "bell"
    let new = try edited(
      alarm,
      ["--pre", "0s", "--label", "", "--volume", "50%", "--snooze", "5m"]
    )
    #expect(new.countdown == CountdownDuration(preAlert: nil, postAlert: 300))
    #expect(new.options.labels == nil)
    #expect(new.options.sound == "bell")
    #expect(new.options.volume == 0.5)
    #expect(new.schedule == alarm.schedule)
  }

  @Test(
    "what does not fit the kind of alarm is refused",
    arguments: [["--for", "5m"], ["--at", "6:00, 7:00"], ["--at", "10"]]
  )
  func refused(words: [String]) {
    #expect(throws: CommandFailure.self) { try edited(weekdays, words) }
  }

  private func edited(_ alarm: Alarm, _ words: [String]) throws -> Alarm {
    let command = try #require(CommandTable.all.first { $0.name == "edit" })
    let time = TimeReading(environment: ["TZ": "Europe/Berlin"])
    let reading = AlarmReading(
      time: time,
      now: instant("2026-11-30T22:18:00Z"),
      zone: try time.zone()
    )
    return try reading.edited(alarm, try Invocation(["x"] + words, for: command))
  }
}

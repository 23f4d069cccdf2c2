import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Alarms on the wall clock")
struct ScheduleTests {
  @Test("A weekly alarm in the spring gap rings once, an hour later by the clock")
  func springGap() throws {
    var time = try Timeline("2027-03-27T12:00:00Z")
    try time.alarm("Sunday", "02:30", WeekdaySet(Weekday.sun))
    #expect(time.status("Sunday")?.note?.contains("does not exist") == true)
    try time.wait(until: "2027-03-28T12:00:00Z")
    #expect(
      time.read() == [
        "03:30:00 alert Sunday", "03:40:00 countdown Sunday until 03:49:00",
        "03:49:00 alert Sunday", "03:59:00 countdown Sunday until 04:08:00",
        "04:08:00 alert Sunday", "04:18:00 countdown Sunday until 04:27:00",
        "04:27:00 alert Sunday", "04:37:00 missed Sunday unanswered",
        "04:37:00 cleared Sunday missed",
      ]
    )
    #expect(time.status("Sunday")?.next == Instant(rfc3339: "2027-04-04T00:30:00Z"))
  }

  @Test("A daily alarm in the autumn fold rings at the first pass only, even after a restart")
  func autumnFold() throws {
    var time = try Timeline("2027-10-30T20:00:00Z")
    try time.alarm("Night", "02:30", .everyDay)
    try time.wait(until: "2027-10-31T00:45:00Z")
    time.act(.stop)
    #expect(time.status("Night")?.next == Instant(rfc3339: "2027-11-01T01:30:00Z"))
    time.restart(after: .seconds(1))
    try time.wait(until: "2027-10-31T20:00:00Z")
    #expect(time.log.filter { $0.contains("alert") }.count == 1)
    #expect(time.status("Night")?.next == Instant(rfc3339: "2027-11-01T01:30:00Z"))
  }

  @Test(
    "An alarm armed before a change of the clocks rings at the time that was said",
    arguments: [
      ("2027-03-27T19:00:00Z", "2027-03-28T04:00:00Z"),
      ("2027-10-30T18:00:00Z", "2027-10-31T05:00:00Z"),
    ]
  )
  func armedBefore(start: String, due: String) throws {
    var time = try Timeline(start)
    try time.alarm("Six", "06:00", WeekdaySet(Weekday.sun))
    #expect(time.status("Six")?.next == Instant(rfc3339: due))
    try time.wait(until: due)
    #expect(time.read() == ["06:00:00 alert Six"])
  }

  @Test("An alarm with a zone of its own does not heed the machine's change of clocks")
  func ownZone() throws {
    var time = try Timeline("2027-10-30T12:00:00Z", zone: "Europe/London")
    try time.alarm("Sync", "01:30", .everyDay, zone: "UTC")
    try time.wait(until: "2027-10-31T01:29:59Z")
    #expect(time.read().isEmpty)
    try time.wait(until: "2027-10-31T01:30:00Z")
    #expect(time.read() == ["01:30:00 alert Sync"])
  }

  @Test("Only the alarm of that weekday rings; adjacent times do not wake their neighbour")
  func adjacentDays() throws {
    var time = try Timeline("2027-06-07T20:00:00Z")  // a Monday
    try time.alarm("A", "23:10", WeekdaySet([Weekday.tue, .wed, .thu, .fri, .sat, .sun]))
    try time.alarm("B", "23:11", .everyDay)
    try time.wait(until: "2027-06-07T21:15:00Z")
    #expect(time.read() == ["23:11:00 alert B"])
  }

  @Test("Weekdays ring ten times in two weeks, at seven each time")
  func weekdays() throws {
    var rules = EngineRules()
    rules.autoSnooze = 0
    var time = try Timeline("2027-03-22T05:00:00Z", rules: rules)
    try time.alarm("Work", "07:00", .weekdays)
    time.wait(.seconds(14 * 86_400 - 3_601))
    let alerts = time.log.filter { $0.contains("alert") }
    #expect(alerts == Array(repeating: "07:00:00 alert Work", count: 10))
  }

  @Test("A time that has passed today is tomorrow's, one that is now too")
  func passedToday() throws {
    var time = try Timeline("2027-06-07T05:00:30Z")
    try time.alarm("Late", "07:00")
    #expect(time.status("Late")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
    var exact = try Timeline("2027-06-07T05:00:00Z")
    try exact.alarm("Now", "07:00")
    #expect(exact.status("Now")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("A fixed instant that is over is refused, one that is now rings once")
  func fixedNow() throws {
    var time = try Timeline("2027-06-07T05:00:00Z")
    try time.fixed("Over", "2027-06-07T04:59:59Z")
    #expect(time.read() == ["07:00:00 rejected past"])
    try time.fixed("Now", "2027-06-07T05:00:00Z")
    #expect(time.read() == ["07:00:00 alert Now"])
  }

  @Test("Far instants neither ring early nor overflow", arguments: [25, 40, 400])
  func farAhead(days: Int64) throws {
    var time = try Timeline("2027-06-07T05:00:00Z")
    let due = time.world.now.wall + .seconds(days * 86_400)
    try time.fixed("Far", due.rfc3339)
    time.wait(.seconds(days * 86_400 - 1))
    #expect(time.read().isEmpty)
    time.wait(.seconds(1))
    #expect(time.read().last?.hasSuffix("alert Far") == true)
    #expect(time.world.table.alertingCount == 1)
  }

  @Test("One alert a day: nothing rings again in the minute it was stopped")
  func stoppedInTheSameMinute() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("Daily", "07:00", .everyDay)
    try time.wait(until: "2027-06-07T05:00:04Z")
    time.act(.stop)
    time.restart(after: .seconds(16))
    try time.wait(until: "2027-06-07T06:00:00Z")
    #expect(time.read() == ["07:00:00 alert Daily", "07:00:04 cleared Daily stopped"])
    #expect(time.status("Daily")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("A new time before now does not ring at once, one later today does today")
  func editedSchedule() throws {
    var time = try Timeline("2027-06-07T05:00:00Z")
    try time.alarm("Daily", "08:00", .everyDay)
    try time.wait(until: "2027-06-07T06:00:01Z")
    time.act(.stop)
    try time.wait(until: "2027-06-07T08:00:00Z")
    _ = time.read()
    try time.update("Daily") {
      $0.schedule = .wall(
        WallSchedule(time: try #require(TimeOfDay("09:30")), days: .weekly(.everyDay))
      )
    }
    #expect(time.read().isEmpty)
    #expect(time.status("Daily")?.next == Instant(rfc3339: "2027-06-08T07:30:00Z"))
    try time.update("Daily") {
      $0.schedule = .wall(
        WallSchedule(time: try #require(TimeOfDay("11:00")), days: .weekly(.everyDay))
      )
    }
    #expect(time.status("Daily")?.next == Instant(rfc3339: "2027-06-07T09:00:00Z"))
  }

  @Test("Alarms due at the same instant all ring, the more important first")
  func sameInstant() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("Low", "07:00")
    try time.alarm("High", "07:00") { $0.options.priority = 5 }
    try time.alarm("Early", "06:51")
    try time.wait(until: "2027-06-07T04:51:00Z")
    time.act(.snooze)  // nine minutes: 07:00 as well
    _ = time.read()
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.read().first == "07:00:00 alert High")
    #expect(time.world.table.alertingCount == 3)
    time.act(.stop, "High")
    #expect(time.world.table.alertingCount == 2)
  }

  @Test("The time before an alarm counts down to it and ends with it")
  func countdownBeforeAlarm() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("Soon", "07:00", .everyDay, preAlert: 600)
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.read() == ["06:50:00 countdown Soon until 07:00:00", "07:00:00 alert Soon"])
    #expect(time.status("Soon")?.scheduled == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Skipping one occurrence")
struct SkipTests {
  private func daily() throws -> Timeline {
    var time = try Timeline("2027-06-07T20:00:00Z")
    try time.alarm("A", "07:00", .everyDay)
    return time
  }

  @Test("Exactly one is left out, and a restart does not forget it")
  func one() throws {
    var time = try daily()
    time.act(.skip)
    #expect(time.status("A")?.skips == CivilDate("2027-06-08"))
    time.restart(after: .seconds(3_600))
    try time.wait(until: "2027-06-09T05:00:00Z")
    #expect(time.read() == ["07:00:00 alert A"])
    #expect(time.status("A")?.skips == nil)
  }

  @Test("It can be taken back, and an edit of the time takes it back too")
  func undone() throws {
    var time = try daily()
    time.act(.skip)
    time.act(.skip)
    #expect(time.errors.last?.code == .wrongState)
    time.act(.skip, undo: true)
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
    time.act(.skip)
    try time.update("A") {
      $0.schedule = .wall(
        WallSchedule(time: try #require(TimeOfDay("08:00")), days: .weekly(.everyDay))
      )
    }
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-08T06:00:00Z"))
    #expect(time.status("A")?.skips == nil)
  }

  @Test("A snooze under way is not touched")
  func whileSnoozed() throws {
    var time = try daily()
    try time.wait(until: "2027-06-08T05:00:00Z")
    time.act(.snooze)
    time.act(.skip)
    _ = time.read()
    time.wait(.seconds(9 * 60))
    #expect(time.read() == ["07:09:00 alert A"])
    time.act(.stop)
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-10T05:00:00Z"))
  }

  @Test("What rings only once cannot be skipped")
  func oneShot() throws {
    var time = try Timeline("2027-06-07T20:00:00Z")
    try time.alarm("Once", "07:00")
    time.act(.skip)
    #expect(time.errors.last?.code == .wrongState)
    #expect(time.status("Once")?.next != nil)
  }

  @Test("A skipped Sunday in the spring gap stays skipped")
  func acrossTheGap() throws {
    var time = try Timeline("2027-03-27T12:00:00Z")
    try time.alarm("A", "02:30", WeekdaySet(Weekday.sun))
    time.act(.skip)
    try time.wait(until: "2027-04-03T12:00:00Z")
    #expect(time.read().isEmpty)
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-04-04T00:30:00Z"))
  }
}

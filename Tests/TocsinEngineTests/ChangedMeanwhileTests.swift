import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Changed while something else was under way")
struct ChangedMeanwhileTests {
  @Test("A fixed time given while the old one rings survives a restart")
  func fixedTimeWhileRinging() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.fixed("A", "2027-06-07T05:00:00Z")
    try time.wait(until: "2027-06-07T05:01:00Z")
    try time.update("A") {
      $0.schedule = .fixed(try #require(Instant(rfc3339: "2027-06-07T08:00:00Z")))
    }
    time.restart(after: .seconds(1))
    time.act(.stop)
    _ = time.read()
    try time.wait(until: "2027-06-07T08:00:00Z")
    #expect(time.read() == ["10:00:00 alert A"])
  }

  @Test("An alarm made a timer while it rings is silent and counts")
  func timerWhileRinging() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay)
    try time.wait(until: "2027-06-07T05:01:00Z")
    try time.update("A") {
      $0.schedule = nil
      $0.countdown.preAlert = 600
    }
    #expect(
      time.read() == [
        "07:00:00 alert A", "07:01:00 cleared A cancelled", "07:01:00 countdown A until 07:11:00",
      ]
    )
  }

  @Test("Taking a skip back does not wake a disabled alarm")
  func skipOfDisabled() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay)
    time.act(.skip)
    time.act(.disable)
    time.act(.skip, undo: true)
    #expect(time.status("A")?.next == nil)
    time.act(.enable)
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-07T05:00:00Z"))
  }

  @Test("What rang on a wrong clock comes back by the zone that holds then")
  func zoneBeforeTheStep() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.happen(.clockSynchronised(false))
    try time.alarm("A", "07:00")
    try time.wait(until: "2027-06-07T05:00:30Z")
    time.act(.stop)
    try time.move(to: "Europe/London")
    time.step(.seconds(-3_600))
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-07T06:00:00Z"))
  }

  @Test("A small step back within the countdown before an alarm makes no second ring of it")
  func stepWithinCountdown() throws {
    var time = try Timeline("2027-06-07T04:55:00Z")
    try time.alarm("A", "07:00", .everyDay, preAlert: 600)
    time.step(.seconds(-60))
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.world.table.alertingCount == 1)
    #expect(time.log.filter { $0.contains("alert") }.count == 1)
    #expect(!time.log.contains { $0.contains("merged") })
  }

  @Test("A time that is over cannot be enabled by an edit")
  func enabledByEdit() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00") {
      $0.schedule = .wall(
        WallSchedule(
          time: TimeOfDay(secondOfDay: 25_200),
          days: .on(CivilDate(daysSince1970: 20_976))
        )
      )
      $0.isEnabled = false
    }
    try time.wait(until: "2027-06-07T06:00:00Z")
    try time.update("A") { $0.isEnabled = true }
    #expect(time.errors.last?.code == .past)
    #expect(time.status("A")?.alarm.isEnabled == false)
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Late, missed, and clocks that were wrong")
struct LateTests {
  private var fifteenMinutes: EngineRules {
    var rules = EngineRules()
    rules.lateGrace = 15 * 60_000_000
    return rules
  }

  private func before(_ start: String = "2027-06-07T04:50:00Z") throws -> Timeline {
    var time = try Timeline(start, rules: fifteenMinutes)
    try time.alarm("Seven", "07:00", .everyDay)
    return time
  }

  @Test("Asleep at seven: within the grace it rings late, after it is missed, and goes on tomorrow")
  func suspended() throws {
    var time = try before()
    time.suspend(.seconds(14 * 60))
    #expect(time.read() == ["07:04:00 alert Seven late 240"])
    time = try before()
    time.suspend(.seconds(4 * 3_600))
    #expect(time.read() == ["10:50:00 missed Seven late"])
    #expect(time.status("Seven")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("A weekend without the daemon brings one notice an alarm and no sound")
  func longAbsence() throws {
    var time = try Timeline("2027-06-04T15:00:00Z", rules: fifteenMinutes)
    for clock in ["06:00", "06:30", "07:00", "12:00", "19:00"] {
      try time.alarm(clock, clock, .everyDay)
    }
    try time.wait(until: "2027-06-04T16:00:00Z")
    time.restart(after: .seconds(62 * 3_600))
    #expect(
      time.read().map { $0.dropFirst(9) }.sorted() == [
        "missed 06:00 late", "missed 06:30 late", "missed 07:00 late", "missed 12:00 late",
        "missed 19:00 late",
      ]
    )
    try time.wait(until: "2027-06-07T17:00:00Z")
    #expect(time.read().last == "19:00:00 alert 19:00")
  }

  @Test("Of several that were passed over, the last decides")
  func lastWithinGrace() throws {
    var time = try before()
    time.restart(after: .seconds(3 * 86_400 + 12 * 60))
    #expect(time.read() == ["07:02:00 alert Seven late 120"])
  }

  @Test("Killed before it is due and started after: it rings late, once, under one identity")
  func killedBefore() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T04:59:58Z")
    time.restart(after: .seconds(7))
    #expect(time.read() == ["07:00:05 alert Seven late 5"])
    let first = time.occurrences.last
    time.restart(after: .seconds(1))
    #expect(time.occurrences.last == first)
    time = try before()
    try time.wait(until: "2027-06-07T04:59:58Z")
    time.restart(after: .seconds(16 * 60))
    #expect(time.read() == ["07:15:58 missed Seven late"])
  }

  @Test("Killed while it rings: the same occurrence goes on, its end stays where it was")
  func killedWhileRinging() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T05:00:03Z")
    time.restart(after: .seconds(7))
    #expect(time.read() == ["07:00:00 alert Seven", "07:00:10 alert Seven again"])
    #expect(Set(time.occurrences).count == 1)
    // Also for a sink that comes later, until something new begins.
    #expect(time.presentations.map(\.resumed) == [true])
    try time.wait(until: "2027-06-07T05:10:00Z")
    #expect(time.read() == ["07:10:00 countdown Seven until 07:19:00"])
    #expect(time.presentations.map(\.resumed) == [nil])
  }

  @Test("An alert that ended while the daemon was down was not heard, so it rings again")
  func endedWhileDown() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T05:00:03Z")
    time.restart(after: .seconds(15 * 60))
    #expect(time.read().last == "07:15:03 alert Seven again")
    time.wait(.seconds(10 * 60))
    #expect(time.read() == ["07:25:03 countdown Seven until 07:34:03"])
    time = try before()
    try time.wait(until: "2027-06-07T05:00:03Z")
    time.restart(after: .seconds(12 * 3_600))
    #expect(
      time.read().suffix(2) == ["19:00:03 missed Seven late", "19:00:03 cleared Seven missed"]
    )
    #expect(time.status("Seven")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("An answer that was given is not forgotten by a kill")
  func answeredBeforeKill() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T05:00:03Z")
    time.act(.snooze)
    time.restart(after: .seconds(60))
    #expect(time.status("Seven")?.next == Instant(rfc3339: "2027-06-07T05:09:03Z"))
    time.act(.stop)
    time.restart(after: .seconds(60))
    #expect(time.status("Seven")?.state == .scheduled)
  }

  @Test("A snooze left over from yesterday is dropped before today's alarm, which rings")
  func leftoverSnooze() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T05:01:00Z")
    time.act(.snooze, for: 600)
    time.wait(.seconds(4 * 60))
    time.restart(after: .seconds(86_400 - 330))
    #expect(
      time.read().suffix(2) == ["06:59:30 missed Seven late", "06:59:30 cleared Seven missed"]
    )
    time.wait(.seconds(30))
    #expect(time.read() == ["07:00:00 alert Seven"])
  }

  @Test("Clock set forward past an alarm: late or missed like any other")
  func steppedForward() throws {
    var time = try before()
    time.step(.seconds(14 * 60))
    #expect(time.read() == ["07:04:00 alert Seven late 240"])
    time = try before()
    time.step(.seconds(5 * 3_600))
    #expect(time.read() == ["11:50:00 missed Seven late"])
  }

  @Test("Clock set back on a synchronised machine: what rang does not ring again")
  func steppedBack() throws {
    var time = try before()
    try time.wait(until: "2027-06-07T05:01:00Z")
    time.act(.stop)
    _ = time.read()
    time.step(.seconds(-3_600))
    try time.wait(until: "2027-06-07T05:30:00Z")
    #expect(time.read().isEmpty)
    #expect(time.status("Seven")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("Rung on a wrong clock: void, it rings again at the real time", arguments: [true, false])
  func wrongClock(repeats: Bool) throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.happen(.clockSynchronised(false))
    try time.alarm("Seven", "07:00", repeats ? .everyDay : [])
    try time.wait(until: "2027-06-07T05:00:30Z")
    time.act(.stop)
    time.step(.seconds(-3_600))
    time.happen(.clockSynchronised(true))
    #expect(time.read() == ["07:00:00 alert Seven", "07:00:30 cleared Seven stopped"])
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.read() == ["07:00:00 alert Seven"])
    #expect(Set(time.occurrences).count == 2)
  }

  @Test("Still ringing when the clock proves wrong: silenced, and rung at the real time")
  func wrongClockWhileRinging() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.happen(.clockSynchronised(false))
    try time.alarm("Seven", "07:00")
    try time.wait(until: "2027-06-07T05:00:30Z")
    time.step(.seconds(-3_600))
    #expect(time.read() == ["07:00:00 alert Seven", "06:00:30 cleared Seven clock"])
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.read() == ["07:00:00 alert Seven"])
  }

  @Test("A one-shot stopped on a clock that proved right is gone")
  func rightAfterAll() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.happen(.clockSynchronised(false))
    try time.alarm("Seven", "07:00")
    try time.wait(until: "2027-06-07T05:00:30Z")
    time.act(.stop)
    #expect(time.world.table.count == 0)
    time.restart(after: .seconds(5))
    time.happen(.clockSynchronised(true))
    time.wait(.seconds(1))
    #expect(time.world.records.isEmpty)
  }

  @Test("No battery clock: alarms wait for the time to be known, countdowns do not")
  func waitsForClock() throws {
    var time = try Timeline("2027-05-01T21:17:00Z", rules: fifteenMinutes)
    time.happen(.clockSynchronised(false))
    try time.alarm("Evening", "23:20", .everyDay)
    try time.alarm("Morning", "07:00", .everyDay)
    time.timer("Tea", 240)
    time.wait(.seconds(300))
    time.step(.seconds(7 * 3_600 + 41 * 60))
    time.happen(.clockSynchronised(true))
    #expect(
      time.read().filter { !$0.contains("countdown") } == [
        "23:21:00 alert Tea", "07:03:00 missed Evening late", "07:03:00 alert Morning late 180",
      ]
    )
  }

  @Test("Never synchronised: after ten minutes the clock is believed all the same")
  func believedAfterAll() throws {
    var time = try Timeline("2027-05-01T21:17:00Z")
    time.happen(.clockSynchronised(false))
    try time.alarm("Evening", "23:20", .everyDay)
    time.wait(.seconds(599))
    #expect(time.read().isEmpty)
    time.wait(.seconds(1))
    #expect(time.read() == ["23:27:00 alert Evening late 420"])
  }

  @Test("A new zone moves what was said, not fixed instants, and rings nothing at once")
  func zoneChange() throws {
    var time = try Timeline("2027-06-01T18:00:00Z")
    try time.alarm("Local", "07:00")
    try time.fixed("Fixed", "2027-06-02T05:30:00Z")
    try time.wait(until: "2027-06-01T20:00:00Z")
    try time.move(to: "Europe/London")
    #expect(time.status("Local")?.next == Instant(rfc3339: "2027-06-02T06:00:00Z"))
    #expect(time.status("Fixed")?.next == Instant(rfc3339: "2027-06-02T05:30:00Z"))
    var east = try Timeline("2027-06-02T05:00:00Z", zone: "America/New_York")
    try east.alarm("Daily", "07:00", .everyDay)
    try east.wait(until: "2027-06-02T06:30:00Z")
    try east.move(to: "Europe/Berlin")
    #expect(east.read().isEmpty)
    #expect(east.status("Daily")?.next == Instant(rfc3339: "2027-06-03T05:00:00Z"))
  }

  @Test("Without time zone data fixed instants and countdowns go on, and alarms come back with it")
  func noZone() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("Daily", "07:00", .everyDay)
    time.happen(.zoneChanged(nil))
    #expect(time.status("Daily")?.next == nil)
    try time.alarm("New", "08:00")
    #expect(time.errors.last?.code == .noTimeZone)
    try time.fixed("Fixed", "2027-06-07T04:10:00Z")
    try time.wait(until: "2027-06-07T04:10:00Z")
    #expect(time.read().last == "06:10:00 alert Fixed")
    try time.move(to: "Europe/Berlin")
    #expect(time.status("Daily")?.next == Instant(rfc3339: "2027-06-07T05:00:00Z"))
  }
}

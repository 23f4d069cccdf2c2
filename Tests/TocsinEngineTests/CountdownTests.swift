import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Countdowns")
struct CountdownTests {
  @Test("They count elapsed time across changes of the clocks and suspend")
  func elapsed() throws {
    var spring = try Timeline("2027-03-27T22:00:00Z")
    spring.timer("Eight", 8 * 3_600)
    try spring.wait(until: "2027-03-28T06:00:00Z")
    #expect(spring.read().last == "08:00:00 alert Eight")
    var autumn = try Timeline("2027-10-30T21:00:00Z")
    autumn.timer("Eight", 8 * 3_600)
    try autumn.wait(until: "2027-10-31T05:00:00Z")
    #expect(autumn.read().last == "06:00:00 alert Eight")
    var asleep = try Timeline("2027-06-07T00:00:00Z")
    asleep.timer("Eight", 8 * 3_600)
    asleep.wait(.seconds(3_600))
    asleep.suspend(.seconds(3 * 3_600))
    asleep.wait(.seconds(4 * 3_600))
    #expect(asleep.read().last == "10:00:00 alert Eight")
  }

  @Test("Pause, resume, snooze and stop in order")
  func order() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Egg", 10, snooze: 5)
    time.wait(.seconds(4))
    time.act(.pause)
    time.wait(.seconds(60))
    time.act(.resume)
    time.wait(.seconds(6))
    time.act(.snooze)
    time.wait(.seconds(5))
    time.act(.stop)
    #expect(
      time.read() == [
        "06:00:00 countdown Egg until 06:00:10", "06:00:04 paused Egg",
        "06:01:04 countdown Egg until 06:01:10", "06:01:10 alert Egg",
        "06:01:10 countdown Egg until 06:01:15", "06:01:15 alert Egg",
        "06:01:15 cleared Egg stopped",
      ]
    )
  }

  @Test("What cannot be done in a state is refused and changes nothing")
  func wrongStates() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay)
    for action in [AlarmAction.stop, .snooze, .pause, .resume, .extend, .restart, .enable] {
      let before = time.status("A")
      time.act(action, "A", for: 5)
      #expect(time.errors.last?.code == .wrongState, "\(action)")
      #expect(time.status("A") == before)
    }
    try time.wait(until: "2027-06-07T05:00:00Z")
    for action in [AlarmAction.pause, .resume, .extend] {
      time.act(action, "A", for: 5)
      #expect(time.errors.last?.code == .wrongState, "\(action)")
    }
    #expect(time.status("A")?.state == .alerting)
    time.act(.stop, "nothing of that name")
    #expect(time.errors.last?.code == .notFound)
  }

  @Test("Extend moves the end, restart begins again, a new length is counted from the start")
  func changedLength() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Five", 300)
    time.wait(.seconds(240))
    time.act(.extend, for: 60)
    #expect(time.status("Five")?.next == Instant(rfc3339: "2027-06-07T04:06:00Z"))
    time.act(.restart)
    #expect(time.status("Five")?.next == Instant(rfc3339: "2027-06-07T04:09:00Z"))
    #expect(time.status("Five")?.countdown?.total == 300)
    time.wait(.seconds(60))
    try time.update("Five") { $0.countdown.preAlert = 600 }
    #expect(time.status("Five")?.next == Instant(rfc3339: "2027-06-07T04:14:00Z"))
    time.act(.extend, for: -3_600)
    #expect(time.status("Five")?.state == .alerting)
  }

  @Test("A restart of the daemon keeps the length, so beginning again is whole again")
  func restartedDaemon() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Half", 1_800)
    time.wait(.seconds(300))
    time.restart(after: .seconds(10))
    time.act(.restart)
    #expect(time.status("Half")?.countdown?.total == 1_800)
    #expect(time.status("Half")?.next == Instant(rfc3339: "2027-06-07T04:35:10Z"))
  }

  @Test(
    "Lengths that cannot be meant are refused",
    arguments: [0, -5, Double.nan, .infinity, 1e12]
  )
  func lengths(seconds: Double) throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("No", seconds)
    #expect(time.errors.last?.code == .invalid)
    #expect(time.world.table.count == 0)
  }

  @Test(
    "Half a second and a week are as good as any",
    arguments: [0.5, 36.0 * 3_600, 7.0 * 86_400]
  )
  func odd(seconds: Double) throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Odd", seconds)
    time.wait(.milliseconds(Int64(seconds * 1_000) - 1))
    #expect(time.status("Odd")?.state == .countdown)
    time.wait(.milliseconds(1))
    #expect(time.status("Odd")?.state == .alerting)
  }

  @Test("A fraction of a second survives saving a hundred times")
  func fractions() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Odd", 3_600.75)
    let end = time.status("Odd")?.next
    for _ in 0..<100 { time.restart(after: .zero) }
    #expect(time.status("Odd")?.next == end)
    #expect(end?.rfc3339 == "2027-06-07T05:00:00.750Z")
  }
}

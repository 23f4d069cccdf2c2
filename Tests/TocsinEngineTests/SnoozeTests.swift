import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Snooze, stop and the other answers")
struct SnoozeTests {
  private func ringing(_ rules: EngineRules = EngineRules()) throws -> Timeline {
    var time = try Timeline("2027-06-07T04:00:00Z", rules: rules)
    try time.alarm("A", "07:00", .everyDay)
    try time.wait(until: "2027-06-07T05:00:00Z")
    _ = time.read()
    return time
  }

  @Test("A snooze counts from the press, a second press changes nothing")
  func pressedTwice() throws {
    var time = try ringing()
    time.wait(.seconds(5))
    time.act(.snooze)
    time.wait(.seconds(1))
    time.act(.snooze, "A")
    time.wait(.seconds(174))
    time.act(.snooze, "A")
    time.wait(.seconds(9 * 60))
    #expect(
      time.read() == [
        "07:00:05 countdown A until 07:09:05", "07:00:06 rejected wrongState",
        "07:03:00 rejected wrongState", "07:09:05 alert A",
      ]
    )
  }

  @Test("Snoozing keeps the occurrence and the series, four times over")
  func snoozedAgainAndAgain() throws {
    var time = try ringing()
    for _ in 0..<4 {
      time.act(.snooze)
      #expect(time.status("A")?.scheduled == Instant(rfc3339: "2027-06-08T05:00:00Z"))
      time.wait(.seconds(9 * 60))
      #expect(time.status("A")?.state == .alerting)
    }
    #expect(Set(time.occurrences).count == 1)
  }

  @Test("Two alarms snooze independently of each other")
  func overlappingSnoozes() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "06:30") { $0.countdown.postAlert = 360 }
    try time.alarm("B", "06:32") { $0.countdown.postAlert = 360 }
    try time.wait(until: "2027-06-07T04:30:20Z")
    time.act(.snooze, "A")
    try time.wait(until: "2027-06-07T04:32:20Z")
    time.act(.snooze, "B")
    try time.wait(until: "2027-06-07T04:39:00Z")
    #expect(time.read().suffix(2) == ["06:36:20 alert A", "06:38:20 alert B"])
  }

  @Test("An alarm due while another rings unanswered rings on time")
  func secondWhileFirstRings() throws {
    var rules = EngineRules()
    rules.autoSnooze = 0
    var time = try Timeline("2027-06-07T03:00:00Z", rules: rules)
    try time.alarm("A", "06:00")
    try time.alarm("B", "06:05")
    try time.wait(until: "2027-06-07T04:12:00Z")
    #expect(
      time.read() == [
        "06:00:00 alert A", "06:05:00 alert B", "06:10:00 missed A unanswered",
        "06:10:00 cleared A missed",
      ]
    )
  }

  @Test("Stopping one alarm leaves the other ringing; all is another word")
  func stopOne() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:36")
    try time.alarm("B", "07:37")
    try time.wait(until: "2027-06-07T05:37:30Z")
    time.act(.stop)
    #expect(time.errors.last?.code == .ambiguous)
    time.act(.stop, "A")
    #expect(time.status("B")?.state == .alerting)
    try time.alarm("C", "07:38")
    try time.wait(until: "2027-06-07T05:38:00Z")
    time.act(.stop, .alerting)
    #expect(time.world.table.count == 0)
  }

  @Test("Nobody answers: three snoozes by itself, then missed")
  func unanswered() throws {
    var time = try ringing()
    time.wait(.seconds(3 * 3_600))
    #expect(
      time.read().filter { !$0.contains("countdown") } == [
        "07:19:00 alert A", "07:38:00 alert A", "07:57:00 alert A",
        "08:07:00 missed A unanswered", "08:07:00 cleared A missed",
      ]
    )
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("Without a ring time it rings until it is answered")
  func ringsForever() throws {
    var rules = EngineRules()
    rules.ringFor = 0
    var time = try ringing(rules)
    time.wait(.seconds(20 * 3_600))
    #expect(time.read().isEmpty)
    #expect(time.status("A")?.state == .alerting)
  }

  @Test("A timer nobody answers ends as unanswered and is gone")
  func unansweredTimer() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Tea", 60)
    time.wait(.seconds(3_600))
    #expect(
      time.read() == [
        "06:00:00 countdown Tea until 06:01:00", "06:01:00 alert Tea",
        "06:11:00 cleared Tea unanswered",
      ]
    )
    #expect(time.world.table.count == 0)
  }

  @Test("A stop during a snooze ends this occurrence only")
  func stopWhileSnoozed() throws {
    var time = try ringing()
    time.act(.snooze)
    time.act(.stop)
    #expect(time.status("A")?.state == .scheduled)
    #expect(time.status("A")?.next == Instant(rfc3339: "2027-06-08T05:00:00Z"))
  }

  @Test("The limit of snoozes is kept and the button goes with it")
  func snoozeLimit() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00") { $0.options.snoozeLimit = 1 }
    try time.wait(until: "2027-06-07T05:00:00Z")
    time.act(.snooze)
    time.wait(.seconds(9 * 60))
    #expect(time.world.table.presentations.first?.buttons.map(\.role) == [.stop])
    time.act(.snooze)
    #expect(time.errors.last?.message.contains("limit") == true)
    #expect(time.status("A")?.state == .alerting)
  }

  @Test(
    "The length of a snooze: as asked, post-alert, pre-alert, the default",
    arguments: [
      (60.0, 300.0, 600.0, "07:01:00"), (nil, 300.0, 600.0, "07:05:00"),
      (nil, nil, 600.0, "07:10:00"), (nil, nil, nil, "07:09:00"),
    ] as [(Double?, Double?, Double?, String)]
  )
  func snoozeLength(asked: Double?, post: Double?, pre: Double?, end: String) throws {
    var time = try Timeline("2027-06-07T04:55:00Z")
    try time.alarm("A", "07:00", preAlert: pre) { $0.countdown.postAlert = post }
    try time.wait(until: "2027-06-07T05:00:00Z")
    _ = time.read()
    time.act(.snooze, for: asked)
    #expect(time.read() == ["07:00:00 countdown A until \(end)"])
  }

  @Test("The next occurrence takes the place of a snooze that still runs")
  func occurrenceDuringSnooze() throws {
    var time = try ringing()
    time.act(.snooze, for: 24 * 3_600 + 60)
    _ = time.read()
    try time.wait(until: "2027-06-08T05:02:00Z")
    #expect(time.read() == ["07:00:00 cleared A merged", "07:00:00 alert A"])
    #expect(Set(time.occurrences).count == 2)
  }

  @Test("Clock changes do not touch a snooze", arguments: [-3_600, 3 * 3_600])
  func steppedDuringSnooze(step: Int) throws {
    var time = try ringing()
    time.wait(.seconds(60))
    time.act(.snooze)
    time.wait(.seconds(120))
    _ = time.read()
    time.step(.seconds(step))
    time.wait(.seconds(7 * 60 - 1))
    #expect(!time.read().contains { $0.contains("alert") })
    time.wait(.seconds(1))
    #expect(time.read().map { $0.dropFirst(9) } == ["alert A"])
  }

  @Test("Disabling or deleting an alarm that rings silences it; an edit does not")
  func changedWhileRinging() throws {
    var time = try ringing()
    try time.update("A") { $0.title = "B" }
    #expect(time.read() == ["07:00:00 alert B"])
    time.act(.stop)
    #expect(time.read() == ["07:00:00 cleared B stopped"])
    time = try ringing()
    time.act(.disable)
    #expect(time.read() == ["07:00:00 cleared A disabled"])
    #expect(time.status("A")?.next == nil)
    time = try ringing()
    time.act(.cancel)
    #expect(time.read() == ["07:00:00 cleared A cancelled"])
    #expect(time.world.table.count == 0)
  }

  @Test("Only enabled alarms ring, each under its own identity")
  func disabledAlarms() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    for name in ["A", "B", "C", "D"] { try time.alarm(name, "07:00") }
    time.act(.cancel, "B")
    time.act(.disable, "C")
    time.restart(after: .seconds(1))
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.read().suffix(2) == ["07:00:00 alert A", "07:00:00 alert D"])
  }

  @Test("Stopping a late notice leaves today's ring alone, and stale answers change nothing")
  func staleAnswer() throws {
    var time = try ringing()
    let old = try #require(time.occurrences.last)
    time.act(.stop)
    try time.wait(until: "2027-06-08T05:00:00Z")
    time.act(.stop, .occurrence(old))
    #expect(time.errors.last?.code == .stale)
    #expect(time.status("A")?.state == .alerting)
  }

  @Test("A custom button keeps it ringing until the program ends it")
  func customButton() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00") {
      $0.options.buttons = [AlarmButton(role: .secondary, text: "Open", behavior: .custom)]
    }
    try time.wait(until: "2027-06-07T05:00:00Z")
    #expect(time.world.table.presentations.first?.buttons.map(\.text) == ["Stop", "Open"])
    _ = time.read()
    time.act(.secondary)
    #expect(time.read() == ["07:00:00 secondary"])
    #expect(time.status("A")?.state == .alerting)
  }
}

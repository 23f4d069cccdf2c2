import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("The alarms of programs")
struct ProgramAlarmTests {
  private static let kitchen = "kitchen"
  private static let stopCall = IntentCall(
    type: "Taken",
    parameters: .object(["dose": .string("1")])
  )
  private static let secondaryCall = IntentCall(type: "Later")

  /// A program's alarm that rings; its secondary button does what is said, nil for no such button.
  private func ringing(
    _ behavior: AlarmButton.Behavior? = nil,
    hasButton: Bool = true,
    intents: AlarmIntents? = AlarmIntents(stop: stopCall, secondary: secondaryCall),
    application: String? = kitchen
  ) throws -> Timeline {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay) { alarm in
      alarm.options.application = application
      alarm.options.intents = intents
      if hasButton {
        alarm.options.buttons = [AlarmButton(role: .secondary, text: "Later", behavior: behavior)]
      }
    }
    try time.wait(until: "2027-06-07T05:00:00Z")
    _ = time.read()
    return time
  }

  private func press(
    _ action: AlarmAction,
    _ time: inout Timeline,
    by application: String? = nil
  ) {
    let id = time.id("A").description
    time.happen(
      .intent(Intent(action, .named(id)), source: "popup", application: application)
    )
  }

  // MARK: - Intents

  @Test("A stop by a person is done first, and then the stop intent is owed")
  func stopped() throws {
    var time = try ringing()
    let occurrence = time.occurrences.last
    time.wait(.seconds(5))
    press(.stop, &time)
    #expect(time.read() == ["07:00:05 cleared A stopped"])
    let owed = try #require(time.owed.first)
    #expect(time.owed.count == 1)
    #expect(owed.occurrence == occurrence && owed.application == "kitchen")
    #expect(owed.action == .stop && owed.done == .stop && owed.call == Self.stopCall)
    #expect(owed.source == "popup" && owed.at == Instant(rfc3339: "2027-06-07T05:00:05Z"))
    // It does not ring any more: pressed again, nothing more is owed.
    press(.stop, &time)
    #expect(time.owed.count == 1)
  }

  @Test("What was owed comes in the same event as what the press changed")
  func order() throws {
    var time = try ringing()
    let id = time.id("A").description
    let effects = time.world.happen(.intent(Intent(.stop, .named(id)), source: "popup"))
    let saved = effects.firstIndex { if case .save = $0.effect { true } else { false } }
    let owed = effects.firstIndex { if case .owe = $0.effect { true } else { false } }
    let accepted = effects.firstIndex { if case .accept = $0.effect { true } else { false } }
    let first = try #require(saved)
    let second = try #require(owed)
    let third = try #require(accepted)
    #expect(first < second && second < third)
  }

  @Test("A one-shot that a stop deletes is owed for, with its title")
  func gone() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("A", 60) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall)
    }
    time.wait(.seconds(60))
    let id = time.id("A").description
    var title: String?
    for happening in time.world.happen(.intent(Intent(.stop, .named(id)), source: "popup")) {
      if case .owe(_, let text) = happening.effect { title = text }
    }
    #expect(title == "A")
    #expect(time.status("A") == nil)
  }

  @Test("A stop of a countdown, of a halted one and of a snooze counts")
  func stoppedCountdown() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    for _ in 0..<2 {
      time.timer("A", 60) {
        $0.options.application = Self.kitchen
        $0.options.intents = AlarmIntents(stop: Self.stopCall)
      }
      if time.owed.count == 1 { press(.pause, &time) }
      press(.stop, &time)
    }
    #expect(time.owed.map(\.done) == [.stop, .stop])
    var snoozed = try ringing(.countdown)
    press(.snooze, &snoozed)
    press(.stop, &snoozed)
    #expect(snoozed.owed.map(\.action) == [.secondary, .stop])
    #expect(Set(snoozed.owed.map(\.occurrence)).count == 1)
  }

  @Test(
    "A snooze by a person is done, and the secondary intent is owed",
    arguments: [AlarmAction.secondary, .snooze],
    [true, false]
  )
  func snoozed(action: AlarmAction, hasButton: Bool) throws {
    var time = try ringing(hasButton ? .countdown : nil, hasButton: hasButton)
    press(action, &time)
    #expect(time.read() == ["07:00:00 countdown A until 07:09:00"])
    #expect(time.owed.map(\.action) == [.secondary] && time.owed.first?.done == .snooze)
    #expect(time.owed.first?.call == Self.secondaryCall)
    // Refused, so nothing more is owed.
    press(action, &time)
    #expect(time.owed.count == 1)
  }

  @Test("A custom button only owes: the alarm rings on, and sinks are told")
  func custom() throws {
    var time = try ringing(.custom)
    press(.secondary, &time)
    #expect(time.read() == ["07:00:00 secondary"])
    #expect(time.status("A")?.state == .alerting)
    let owed = try #require(time.owed.first)
    #expect(owed.action == .secondary && owed.done == nil && owed.call == Self.secondaryCall)
    // A snooze is another button then, which the program has no intent for.
    press(.snooze, &time)
    #expect(time.status("A")?.state == .countdown && time.owed.count == 1)
    // It does not ring, so the button is not there.
    press(.secondary, &time)
    #expect(time.owed.count == 1)
  }

  @Test("Where the program has no intent for the answer, or the alarm no program, nothing is owed")
  func noIntent() throws {
    var none = try ringing(.custom, intents: nil)
    press(.secondary, &none)
    press(.stop, &none)
    var other = try ringing(intents: AlarmIntents(secondary: Self.secondaryCall))
    press(.stop, &other)
    var nobodys = try ringing(application: nil)
    press(.stop, &nobodys)
    #expect(none.owed.isEmpty && other.owed.isEmpty && nobodys.owed.isEmpty)
  }

  @Test("What the program does itself owes it nothing, what another does owes it")
  func ownAction() throws {
    var own = try ringing(.custom)
    press(.secondary, &own, by: Self.kitchen)
    press(.stop, &own, by: Self.kitchen)
    #expect(own.owed.isEmpty)
    #expect(own.read() == ["07:00:00 secondary", "07:00:00 cleared A stopped"])
    var other = try ringing()
    press(.stop, &other, by: "garage")
    #expect(other.owed.map(\.action) == [.stop])
  }

  @Test(
    "Only stop and the secondary button are answers",
    arguments: [AlarmAction.cancel, .disable]
  )
  func otherActions(action: AlarmAction) throws {
    var time = try ringing()
    press(action, &time)
    #expect(time.read().count == 1 && time.owed.isEmpty)
  }

  @Test("Skipping, restarting, pausing and lengthening a countdown owe nothing")
  func countdownActions() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("A", 60) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall, secondary: Self.secondaryCall)
    }
    for action in [AlarmAction.pause, .resume, .restart] { press(action, &time) }
    time.act(.extend, "A", for: 5)
    try time.alarm("B", "07:00", .everyDay, preAlert: 600) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall)
    }
    try time.wait(until: "2027-06-07T04:55:00Z")
    time.act(.skip, "B")
    #expect(time.errors.isEmpty && time.owed.isEmpty)
  }

  @Test("Nobody answering, merging and missing owe nothing")
  func unanswered() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall, secondary: Self.secondaryCall)
      $0.options.autoSnooze = 1
    }
    time.timer("T", 60) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall, secondary: Self.secondaryCall)
    }
    // It snoozes itself, is missed, and on the next day a snooze of a day merges.
    try time.wait(until: "2027-06-08T05:00:00Z")
    time.act(.snooze, .named("A"), for: 86_400)
    #expect(time.owed.count == 1)
    try time.wait(until: "2027-06-09T05:00:00Z")
    let log = time.read()
    #expect(log.contains("07:29:00 missed A unanswered"))
    #expect(log.contains("07:00:00 cleared A merged"))
    time.suspend(.seconds(86_400))
    #expect(time.owed.count == 1)
  }

  // MARK: - What is shown

  @Test("A countdown and a halted one have their own titles, an alert the alarm's")
  func titles() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("Eggs", 60, snooze: 60) {
      $0.options.titles = AlarmOptions.Titles(countdown: "Boiling", paused: "Waiting")
    }
    time.act(.pause)
    time.act(.resume)
    time.wait(.seconds(60))
    time.act(.snooze)
    #expect(
      time.read() == [
        "06:00:00 countdown Boiling until 06:01:00", "06:00:00 paused Waiting",
        "06:00:00 countdown Boiling until 06:01:00", "06:01:00 alert Eggs",
        "06:01:00 countdown Boiling until 06:02:00",
      ]
    )
    #expect(time.presentations.map(\.title) == ["Boiling"])
    #expect(time.status("Eggs")?.alarm.title == "Eggs")
    // One that is left out is the alarm's.
    try time.update("Eggs") { $0.options.titles = AlarmOptions.Titles(paused: "Waiting") }
    #expect(time.presentations.map(\.title) == ["Eggs"])
  }

  private func buttons(
    _ own: [AlarmButton],
    exact: Bool,
    snoozeLimit: Int? = nil,
    _ actions: AlarmAction...
  ) throws -> [String] {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("A", 60) {
      $0.options.buttons = own
      $0.options.exactButtons = exact
      $0.options.snoozeLimit = snoozeLimit
    }
    if actions.isEmpty { time.wait(.seconds(60)) }
    for action in actions where action != .extend { time.act(action) }
    let shown = try #require(time.presentations.first)
    return shown.buttons.map { "\($0.role) \($0.text)" }
  }

  @Test("With exact buttons there are the alarm's own, and stop")
  func exactButtons() throws {
    let done = AlarmButton(role: .stop, text: "Done")
    let later = AlarmButton(role: .secondary, text: "Later", behavior: .countdown)
    let open = AlarmButton(role: .secondary, text: "Open", behavior: .custom)
    let halt = AlarmButton(role: .pause, text: "Halt")
    let goOn = AlarmButton(role: .resume, text: "Go on")
    let snooze = AlarmButton(role: .snooze, text: "Nap")
    #expect(try buttons([], exact: false) == ["stop Stop", "snooze Snooze"])
    #expect(try buttons([], exact: true) == ["stop Stop"])
    #expect(try buttons([done, later, halt], exact: true) == ["stop Done", "secondary Later"])
    #expect(try buttons([done, open], exact: true) == ["stop Done", "secondary Open"])
    #expect(try buttons([snooze], exact: true) == ["stop Stop", "snooze Nap"])
    #expect(try buttons([later], exact: true, snoozeLimit: 0) == ["stop Stop"])
    #expect(try buttons([open], exact: true, snoozeLimit: 0) == ["stop Stop", "secondary Open"])
    // While it counts, and while that is halted.
    #expect(try buttons([], exact: true, .extend) == ["stop Stop"])
    #expect(try buttons([halt, later], exact: true, .extend) == ["pause Halt", "stop Stop"])
    #expect(try buttons([halt], exact: true, .pause) == ["stop Stop"])
    #expect(try buttons([goOn, done], exact: true, .pause) == ["resume Go on", "stop Done"])
    #expect(try buttons([], exact: false, .pause) == ["resume Resume", "stop Stop"])
  }

  @Test("An event holds nothing that is for the daemon or the program alone")
  func shownOptions() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    time.timer("A", 60) {
      $0.options.application = Self.kitchen
      $0.options.intents = AlarmIntents(stop: Self.stopCall)
      $0.options.attributes = .object(["tint": .string("red")])
      $0.options.titles = AlarmOptions.Titles(countdown: "Boiling")
      $0.options.exactButtons = true
      $0.options.buttons = [AlarmButton(role: .stop, text: "Done")]
      $0.options.metadata = .string("back")
    }
    var expected = AlarmOptions()
    expected.application = Self.kitchen
    expected.metadata = .string("back")
    #expect(time.presentations.map(\.options) == [expected])
    // It is all there where the program asks for it.
    #expect(time.status("A")?.alarm.options.intents?.stop == Self.stopCall)
  }

  // MARK: - The record

  @Test("Each line of the record says whose alarm it is about")
  func history() throws {
    var time = try ringing(.countdown)
    press(.snooze, &time)
    time.wait(.seconds(9 * 60))
    press(.stop, &time)
    time.suspend(.seconds(3 * 86_400 + 3_600))
    press(.cancel, &time)
    time.timer("Own", 60)
    let events = Set(time.history.map(\.event))
    #expect(events.isSuperset(of: [.scheduled, .fired, .missed, .cancelled]))
    for entry in time.history {
      #expect(entry.application == (entry.title == "Own" ? nil : "kitchen"))
    }
  }

  @Test("Also those about what sinks did with it")
  func routedHistory() throws {
    var bench = try RouterBench()
    bench.readyBedroom()
    var alarm = Alarm(
      id: bench.id("Tea"),
      title: "Tea",
      countdown: CountdownDuration(preAlert: 10)
    )
    alarm.options.application = Self.kitchen
    bench.happen(.schedule(alarm, source: "test"))
    bench.wait(30)
    let routed = bench.history.filter { [.timedOut, .fallback, .unheard].contains($0.event) }
    #expect(!routed.isEmpty)
    for entry in routed { #expect(entry.application == "kitchen") }
  }
}

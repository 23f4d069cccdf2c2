import AlarmKit
import AlarmKitTesting
import Testing
import TocsinModel

@Suite("Programs that share a service", .timeLimit(.minutes(10)))
struct ProgramsTests {
  private let id = UUID()

  @Test("see, change and remember their own alarms only")
  func apart() async throws {
    let alarms = try TestAlarms(now: newYear, application: "kitchen")
    let other = alarms.makeManager(application: "bedroom")
    let theirs = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    try await other.schedule(id: theirs, configuration: timer(120))
    #expect(try other.alarm(id) == nil)
    #expect(try alarms.manager.alarm(theirs) == nil)
    #expect(reason { try other.stop(id: id) } == .unknownAlarm)
    #expect(reason { try other.details(for: id) } == .unknownAlarm)
    #expect(try await other.history().map(\.alarmID) == [theirs])
    #expect(try alarms.manager.alarm(id)?.state == .countdown)
    other.close()
  }

  @Test("run their own intents only")
  func intents() async throws {
    let alarms = try TestAlarms(now: newYear, application: "kitchen")
    let other = alarms.makeManager(application: "bedroom")
    let theirs = UUID()
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = StopIntent(id) }
    )
    try await other.schedule(
      id: theirs,
      configuration: timer(60).with { $0.stopIntent = StopIntent(theirs) }
    )
    other.close()
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    try await alarms.press(.stop, on: theirs)
    #expect(Deeds.of(id) == ["stop"])
    #expect(Deeds.of(theirs) == [])
    let again = alarms.makeManager(application: "bedroom")
    await again.settle()
    #expect(Deeds.of(theirs) == ["stop"])
    again.close()
  }

  @Test("An intent that is not in the program is told of once, and not handed over again")
  func unknownIntent() async throws {
    let alarms = try TestAlarms(now: newYear)
    var alarm = try timer(60).alarm(id: id)
    alarm.options.intents = AlarmIntents(stop: IntentCall(type: "none of this program"))
    _ = try await alarms.manager.link.answer(to: .schedule(alarm))
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    await alarms.restartProgram()
    let ran = try await alarms.manager.history(for: id).filter { $0.event == .performed }
    #expect(ran.count == 1)
    #expect(ran.first?.detail?.contains("none of this program") == true)
  }
}

/// A restart in the midst of an answer.
enum Restart: String, CaseIterable, Sendable {
  case ofNobody
  case ofProgramBefore
  case ofServiceBefore
  case ofProgramAfter
  case ofServiceAfter
  case ofBothWhileProgramIsAway
}

/// An answer, what its intent does, and what becomes of the alarm.
struct Answer: Sendable, CustomTestStringConvertible {
  var button: TestAlarms.Button
  var isCustom = false
  var what: String
  var state: AlarmKit.Alarm.State?

  var testDescription: String { isCustom ? "custom, \(what)" : what }

  static let all = [
    Answer(button: .stop, what: "stop"),
    Answer(button: .secondary, what: "snooze", state: .countdown),
    Answer(button: .secondary, isCustom: true, what: "stop"),
    Answer(button: .secondary, isCustom: true, what: "snooze", state: .countdown),
  ]
}

@Suite("An answer and its intent", .timeLimit(.minutes(10)))
struct RestartTests {
  @Test("happen once, whatever is restarted", arguments: Answer.all, Restart.allCases)
  func once(answer: Answer, restart: Restart) async throws {
    let id = UUID()
    let alarms = try TestAlarms(now: newYear)
    let configuration = timer(60, snooze: 300).with {
      $0.attributes = attributes(secondary: answer.isCustom ? .custom : .countdown)
      let intent = DoIntent(answer.what, id)
      if answer.button == .stop { $0.stopIntent = intent } else { $0.secondaryIntent = intent }
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    if restart == .ofProgramBefore { await alarms.restartProgram() }
    if restart == .ofServiceBefore { try await alarms.restartService() }
    if restart == .ofBothWhileProgramIsAway { await alarms.endProgram() }
    try await alarms.press(answer.button, on: id)
    if restart == .ofBothWhileProgramIsAway {
      try await alarms.restartService()
      await alarms.startProgram()
    }
    if restart == .ofProgramAfter { await alarms.restartProgram() }
    if restart == .ofServiceAfter { try await alarms.restartService() }
    #expect(Deeds.of(id) == [answer.what])
    #expect(try alarms.manager.alarm(id)?.state == answer.state)
    #expect(alarms.presented.compactMap(\.mode) == [answer.state].compactMap(\.self))
    let events = try await alarms.manager.history(for: id).map(\.event)
    #expect(events.filter { $0 == .performed }.count == 1)
    #expect(events.filter { $0 == .snoozed || $0 == .stopped }.count == 1)
  }
}

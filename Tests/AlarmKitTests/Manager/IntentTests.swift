import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Intents", .timeLimit(.minutes(10)))
struct IntentTests {
  private let id = UUID()

  private func performed(_ alarms: TestAlarms) async throws -> [String?] {
    try await alarms.manager.history(for: id).filter { $0.event == .performed }.map(\.detail)
  }

  @Test("The alarm is stopped before its stop intent runs, which may stop it once more")
  func stop() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = StopIntent(id) }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["stop"])
    #expect(try alarms.manager.alarm(id) == nil)
    #expect(try await performed(alarms) == [nil])
  }

  @Test("A repeating alarm waits for its next time although its intent stops it once more")
  func stopRepeating() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: alarm(at: 9, 0).with { $0.stopIntent = DoIntent("stop twice", id) }
    )
    await alarms.advance(to: newYear + 3_600)
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["stop twice"])
    #expect(try alarms.manager.alarm(id)?.state == .scheduled)
  }

  @Test("A countdown that is stopped runs the stop intent too")
  func stopCountdown() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = StopIntent(id) }
    )
    await alarms.advance(by: .seconds(10))
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["stop"])
    #expect(try alarms.manager.alarm(id) == nil)
  }

  @Test("The alarm is snoozed before its secondary intent runs, which may snooze it once more")
  func snooze() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60, snooze: 300).with { $0.secondaryIntent = SnoozeIntent(id) }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    #expect(Deeds.of(id) == ["snooze"])
    let details = try alarms.manager.details(for: id)
    #expect(details.alarm.state == .countdown)
    #expect(details.nextFireDate == newYear + 360)
    let events = try await alarms.manager.history(for: id).map(\.event)
    #expect(events.filter { $0 == .snoozed }.count == 1)
  }

  @Test("An intent may give the snooze another length")
  func snoozeLonger() async throws {
    let alarms = try TestAlarms(now: newYear)
    let intent = DoIntent("snooze longer", id, seconds: 900)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60, snooze: 300).with { $0.secondaryIntent = intent }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    #expect(Deeds.of(id) == ["snooze longer"])
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 960)
  }

  @Test("A custom button leaves the alarm ringing until its intent ends it")
  func custom() async throws {
    let outcomes: [(String, Alarm.State?)] = [
      ("nothing", .alerting), ("snooze", .countdown), ("stop", nil),
    ]
    for (what, state) in outcomes {
      let alarms = try TestAlarms(now: newYear)
      let id = UUID()
      let configuration = timer(60).with {
        $0.attributes = attributes(secondary: .custom)
        $0.secondaryIntent = DoIntent(what, id)
      }
      try await alarms.manager.schedule(id: id, configuration: configuration)
      await alarms.advance(by: .seconds(60))
      try await alarms.press(.secondary, on: id)
      #expect(Deeds.of(id) == [what])
      #expect(try alarms.manager.alarm(id)?.state == state)
      #expect(alarms.presented.map(\.mode) == (state == nil ? [] : [state]))
    }
  }

  @Test("Pressed again, a custom button runs its intent again")
  func customTwice() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = timer(60).with {
      $0.attributes = attributes(secondary: .custom)
      $0.secondaryIntent = DoIntent("nothing", id)
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    try await alarms.press(.secondary, on: id)
    #expect(Deeds.of(id) == ["nothing", "nothing"])
  }

  @Test("What the program does itself runs no intent")
  func ownCalls() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = timer(60, snooze: 30).with {
      $0.stopIntent = StopIntent(id)
      $0.secondaryIntent = SnoozeIntent(id)
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    try alarms.manager.countdown(id: id)
    await alarms.advance(by: .seconds(30))
    try alarms.manager.stop(id: id)
    await alarms.settle()
    #expect(Deeds.of(id) == [])
  }

  @Test("An intent may cancel an alarm that stopping it has deleted")
  func cancels() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = DoIntent("cancel", id) }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["cancel"])
    #expect(try await performed(alarms) == [nil])
  }

  @Test("What an intent throws is kept with what happened, and it is not run again")
  func throwing() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = DoIntent("throw", id) }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(try await performed(alarms) == ["the intent did not want to"])
    await alarms.restartProgram()
    #expect(try await performed(alarms).count == 1)
  }

  @Test("Another transition than what was done already fails as ever")
  func otherTransitions() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = timer(60).with {
      $0.attributes = attributes(secondary: .custom)
      $0.secondaryIntent = DoIntent("pause", id)
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    #expect(Deeds.of(id) == [])
    #expect(try await performed(alarms).compactMap(\.self).count == 1)
  }

  @Test("Outside its intent, a call for what was done already fails")
  func outside() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(reason { try alarms.manager.stop(id: id) } == .unknownAlarm)
  }

  @Test("An intent waits while its program does not run, and is made anew when it does")
  func waits() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = alarm(at: 9, 0).with {
      $0.stopIntent = DoIntent("stop", id, seconds: 2.5)
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.endProgram()
    await alarms.advance(to: newYear + 3_600)
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == [])
    // The next ring is not the one that was answered.
    await alarms.advance(by: .seconds(86_400))
    await alarms.startProgram()
    #expect(Deeds.of(id) == ["stop"])
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("A snooze that was asked for before the program ran does not silence a later ring")
  func lateSnooze() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60, snooze: 30).with { $0.secondaryIntent = SnoozeIntent(id) }
    )
    await alarms.endProgram()
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    await alarms.advance(by: .seconds(30))
    await alarms.startProgram()
    #expect(Deeds.of(id) == ["snooze"])
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("An intent waits through a restart of the service as well")
  func waitsForService() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = StopIntent(id) }
    )
    await alarms.endProgram()
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    try await alarms.restartService()
    await alarms.startProgram()
    #expect(Deeds.of(id) == ["stop"])
    try await alarms.restartService()
    await alarms.restartProgram()
    #expect(Deeds.of(id) == ["stop"])
  }

  @Test("An intent belongs to the configuration that the alarm has now")
  func updated() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = DoIntent("old", id) }
    )
    try await alarms.manager.update(
      id: id,
      configuration: timer(60).with { $0.stopIntent = DoIntent("new", id) }
    )
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["new"])
  }
}

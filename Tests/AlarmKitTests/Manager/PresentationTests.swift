import AlarmKit
import AlarmKitTesting
import Testing

@Suite("What a test sees and presses", .timeLimit(.minutes(10)))
struct PresentationTests {
  private let id = UUID()

  @Test("Each state is presented with its own title and buttons, then withdrawn")
  func states() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(100, snooze: 50))
    await alarms.advance(by: .seconds(40))
    try await alarms.press(.pause, on: id)
    try await alarms.press(.resume, on: id)
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.secondary, on: id)
    await alarms.advance(by: .seconds(50))
    try await alarms.press(.stop, on: id)
    let seen = alarms.presentations
    #expect(
      seen.map(\.mode) == [.countdown, .paused, .countdown, .alerting, .countdown, .alerting, nil]
    )
    #expect(
      seen.map(\.title)
        == ["Brewing", "Not brewing", "Brewing", "Tea", "Brewing", "Tea", "Tea"]
    )
    #expect(seen[0].buttons.map(\.button).contains(.pause))
    #expect(seen[1].buttons.first { $0.button == .resume }?.text == "Go on")
    #expect(seen[3].buttons.map(\.button) == [.stop, .secondary])
    #expect(seen[3].buttons.last?.text == "Later")
    #expect(seen.last?.reason == "stopped")
    #expect(alarms.presented.isEmpty)
  }

  @Test("The state is the one that a presentation of the program would draw")
  func drawn() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(100))
    await alarms.settle()
    let countdown = AlarmPresentationState.Mode.Countdown(
      totalCountdownDuration: 100,
      previouslyElapsedDuration: 0,
      startDate: newYear,
      fireDate: newYear + 100
    )
    #expect(
      alarms.presented.last?.state
        == AlarmPresentationState(alarmID: id, mode: .countdown(countdown))
    )
    await alarms.advance(by: .seconds(100))
    let time = Alarm.Schedule.Relative.Time(hour: 8, minute: 1)
    #expect(
      alarms.presented.last?.state
        == AlarmPresentationState(alarmID: id, mode: .alert(.init(time: time)))
    )
  }

  @Test("A button that is not there cannot be pressed")
  func noButton() async throws {
    let alarms = try TestAlarms(now: newYear)
    await #expect(throws: TestAlarmsError.self) { try await alarms.press(.stop, on: id) }
    let configuration = timer(60).with { $0.attributes = attributes(secondary: nil) }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    await #expect(throws: TestAlarmsError.self) { try await alarms.press(.resume, on: id) }
    await #expect(throws: TestAlarmsError.self) { try await alarms.press(.secondary, on: id) }
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("Code that uses the shared manager is tested as it is")
  func shared() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.run {
      try await AlarmManager.shared.schedule(id: id, configuration: timer(60))
    }
    #expect(try alarms.manager.alarm(id)?.state == .countdown)
  }

  @Test("Two tests see nothing of each other")
  func apart() async throws {
    let one = try TestAlarms(now: newYear)
    let other = try TestAlarms(now: newYear)
    try await one.manager.schedule(id: id, configuration: timer(60))
    await other.advance(by: .seconds(60))
    #expect(try other.manager.alarm(id) == nil)
    #expect(other.presentations.isEmpty)
    #expect(try one.manager.alarm(id)?.state == .countdown)
  }
}

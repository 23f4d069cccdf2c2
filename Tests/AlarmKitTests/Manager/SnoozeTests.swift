import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Snoozing and halting", .timeLimit(.minutes(10)))
struct SnoozeTests {
  private let id = UUID()

  @Test("A snooze counts from the press for as long as was said, then rings again")
  func snooze() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60, snooze: 300))
    await alarms.advance(by: .seconds(70))
    try alarms.manager.countdown(id: id)
    let details = try alarms.manager.details(for: id)
    #expect(details.alarm.state == .countdown)
    #expect(details.countdown?.isSnooze == true)
    #expect(details.countdown?.totalDuration == 300)
    #expect(details.nextFireDate == newYear + 370)
    await alarms.advance(by: .seconds(300))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
    try alarms.manager.stop(id: id)
    #expect(try alarms.manager.alarm(id) == nil)
  }

  @Test("Without any length a snooze takes what the daemon is set to")
  func defaultLength() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear + 60))
    await alarms.advance(by: .seconds(60))
    try alarms.manager.countdown(id: id)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 60 + 9 * 60)
  }

  @Test("A snooze of another length is one call")
  func anotherLength() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60, snooze: 300))
    await alarms.advance(by: .seconds(60))
    let snoozed = try alarms.manager.countdown(id: id, duration: 20)
    #expect(snoozed?.state == .countdown)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 80)
    let failure = reason { try alarms.manager.countdown(id: id, duration: 20) }
    #expect(failure == .wrongState(.countdown))
  }

  @Test("A snooze of no length is refused, and it rings on")
  func noLength() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    guard case .invalid = reason({ try alarms.manager.countdown(id: id, duration: 0) }) else {
      Issue.record("a snooze of 0 s was taken")
      return
    }
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("As often as may be, and not once more")
  func limit() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = timer(60, snooze: 30).with { $0.snoozeLimit = 1 }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(60))
    #expect(alarms.presentations.last?.buttons.map(\.button) == [.stop, .secondary])
    try alarms.manager.countdown(id: id)
    await alarms.advance(by: .seconds(30))
    #expect(alarms.presentations.last?.buttons.map(\.button) == [.stop])
    #expect(reason { try alarms.manager.countdown(id: id) } == .wrongState(.alerting))
  }

  @Test("A repeating alarm that was snoozed goes on with its days, counted from its schedule")
  func seriesGoesOn() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: 9, 0))
    await alarms.advance(to: newYear + 3_600)
    try alarms.manager.countdown(id: id)
    await alarms.advance(by: .seconds(9 * 60))
    try alarms.manager.stop(id: id)
    let details = try alarms.manager.details(for: id)
    #expect(details.alarm.state == .scheduled)
    #expect(details.nextFireDate == newYear + 3_600 + 86_400)
  }

  @Test("A halted timer keeps what is left, and goes on from there")
  func pause() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(100))
    await alarms.advance(by: .seconds(40))
    try alarms.manager.pause(id: id)
    let halted = try alarms.manager.details(for: id)
    #expect(halted.nextFireDate == nil)
    #expect(halted.countdown?.previouslyElapsedDuration == 40)
    await alarms.advance(by: .seconds(1_000))
    #expect(try alarms.manager.alarm(id)?.state == .paused)
    try alarms.manager.resume(id: id)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 1_100)
    await alarms.advance(by: .seconds(60))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("A minute more, also while it is halted; a minute less can make it ring")
  func extend() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(100))
    let extended = try alarms.manager.extend(id: id, by: 60)
    #expect(extended.state == .countdown)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 160)
    await alarms.advance(by: .seconds(40))
    try alarms.manager.pause(id: id)
    try alarms.manager.extend(id: id, by: 60)
    try alarms.manager.resume(id: id)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 220)
    try alarms.manager.extend(id: id, by: -200)
    await alarms.advance(by: .zero)
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
    #expect(reason { try alarms.manager.extend(id: id, by: 60) } == .wrongState(.alerting))
  }
}

import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Whether a program may set alarms", .timeLimit(.minutes(10)))
struct AuthorizationTests {
  private let id = UUID()

  @Test("It may unless plugins.conf says otherwise")
  func authorized() async throws {
    let alarms = try TestAlarms(now: newYear)
    #expect(alarms.manager.authorizationState == .authorized)
    #expect(try await alarms.manager.requestAuthorization() == .authorized)
  }

  @Test("Where programs are to ask, it has to ask once")
  func asks() async throws {
    let alarms = try TestAlarms(now: newYear, authorization: .notDetermined)
    #expect(alarms.manager.authorizationState == .notDetermined)
    #expect(try await alarms.manager.requestAuthorization() == .authorized)
    #expect(alarms.manager.authorizationState == .authorized)
  }

  @Test("Setting an alarm asks by itself")
  func schedulingAsks() async throws {
    let alarms = try TestAlarms(now: newYear, authorization: .notDetermined)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.settle()
    #expect(alarms.manager.authorizationState == .authorized)
  }

  @Test("One that may not is told so at once, and what to do")
  func denied() async throws {
    let alarms = try TestAlarms(now: newYear, authorization: .denied)
    #expect(alarms.manager.authorizationState == .denied)
    #expect(try await alarms.manager.requestAuthorization() == .denied)
    do {
      try await alarms.manager.schedule(id: id, configuration: timer(60))
      Issue.record("a program that may not has set an alarm")
    } catch let failure as AlarmManager.Failure {
      #expect(failure.reason == .notAuthorized)
      #expect(failure.remedy.contains("plugins.conf"))
    }
  }

  @Test("What was set before rings on, and can be stopped")
  func promise() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    try await alarms.setAuthorization(.denied)
    await alarms.advance(by: .seconds(60))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
    try alarms.manager.stop(id: id)
    #expect(try alarms.manager.alarm(id) == nil)
  }

  @Test("Who follows is told at once, and of each change")
  func updates() async throws {
    let alarms = try TestAlarms(now: newYear)
    var iterator = alarms.manager.authorizationUpdates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil) == .authorized)
    try await alarms.setAuthorization(.denied)
    #expect(await iterator.next(isolation: nil) == .denied)
    try await alarms.setAuthorization(.authorized)
    #expect(await iterator.next(isolation: nil) == .authorized)
  }
}

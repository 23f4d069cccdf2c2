import AlarmKit
import Testing

@Suite("Where alarms are kept", .timeLimit(.minutes(10)))
struct ConnectionTests {
  private let id = UUID()

  @Test("In this process and in memory, alarms ring without a daemon")
  func ephemeral() async throws {
    let home = try Home()
    let manager = home.manager(.ephemeral)
    var iterator = manager.alarmUpdates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil)?.isEmpty == true)
    // Now is not over although it was a moment ago.
    try await manager.schedule(id: id, configuration: alarm(at: Date()))
    var state: Alarm.State?
    while state != .alerting { state = await iterator.next(isolation: nil)?.first?.state }
    try manager.stop(id: id)
    #expect(try manager.alarm(id) == nil)
    manager.close()
  }

  @Test("A store of the program's own keeps alarms from one run to the next")
  func embedded() async throws {
    let home = try Home()
    let store = home.folder.appendingPathComponent("alarms.db")
    let first = home.manager(.embedded(store: store))
    try await first.schedule(id: id, configuration: alarm(at: 7, 0))
    first.close()
    let second = home.manager(.embedded(store: store))
    #expect(try second.alarm(id)?.state == .scheduled)
    second.close()
  }

  @Test("Two programs with one store do not see each other's alarms")
  func names() async throws {
    let home = try Home()
    let store = home.folder.appendingPathComponent("alarms.db")
    let first = home.manager(.embedded(store: store), "first")
    try await first.schedule(id: id, configuration: alarm(at: 7, 0))
    first.close()
    let second = home.manager(.embedded(store: store), "second")
    #expect(try second.alarm(id) == nil)
    #expect(reason { try second.cancel(id: id) } == .unknownAlarm)
    second.close()
  }

  @Test("Where no daemon is, a call fails in its time and says what to do")
  func noDaemon() async throws {
    let folder = FileManager.default.temporaryDirectory.path
    let manager = AlarmManager(
      connection: .daemon(socket: "\(folder)/\(UUID().uuidString)"),
      application: "test",
      environment: [:],
      answerTime: .milliseconds(50)
    )
    do {
      try manager.cancel(id: id)
      Issue.record("somebody answered")
    } catch let failure as AlarmManager.Failure {
      #expect([.unavailable, .timedOut].contains(failure.reason))
      #expect(!failure.remedy.isEmpty)
    }
    let found = await manager.diagnose()
    #expect(found.map(\.kind) == [.noService])
    manager.close()
  }

  @Test("A program is called by the environment, else by its file")
  func applicationNames() {
    let named = AlarmManager.applicationName(environment: ["TOCSIN_APPLICATION": "kitchen"])
    #expect(named == "kitchen")
    let unnamed = AlarmManager.applicationName(environment: [:])
    #expect(!unnamed.isEmpty)
    #expect(!unnamed.contains("/"))
  }
}

import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Looking for what could keep alarms silent", .timeLimit(.minutes(10)))
struct DiagnosisTests {
  private let id = UUID()

  private func kinds(_ alarms: TestAlarms) async -> [AlarmDiagnosis.Kind] {
    await alarms.manager.diagnose().map(\.kind)
  }

  @Test("finds nothing that matters where all is well")
  func well() async throws {
    let alarms = try TestAlarms(now: newYear)
    await alarms.settle()
    let found = await alarms.manager.diagnose()
    #expect(found.filter { $0.severity == .problem }.isEmpty, "\(found)")
  }

  @Test("finds that the program may not, or has not asked")
  func access() async throws {
    let alarms = try TestAlarms(now: newYear, authorization: .denied)
    #expect(await kinds(alarms).contains(.notAuthorized))
    #expect(await kinds(alarms).first == .notAuthorized)
    try await alarms.setAuthorization(.notDetermined)
    #expect(await kinds(alarms).contains(.notAsked))
  }

  @Test("finds that there is no room for another alarm")
  func limit() async throws {
    let alarms = try TestAlarms(now: newYear, alarmLimit: 1)
    #expect(await !kinds(alarms).contains(.limitReached))
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    #expect(await kinds(alarms).contains(.limitReached))
  }

  @Test("finds that nobody would hear it, and that it is lost with the program")
  func ephemeral() async throws {
    let home = try Home()
    let manager = home.manager(.ephemeral)
    let found = await manager.diagnose()
    #expect(found.map(\.kind).contains(.inMemory))
    #expect(found.map(\.kind).contains(.embedded))
    for diagnosis in found {
      #expect(!diagnosis.message.isEmpty)
      #expect(!diagnosis.remedy.isEmpty)
    }
    manager.close()
  }
}

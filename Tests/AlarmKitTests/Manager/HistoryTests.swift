import AlarmKit
import AlarmKitTesting
import Testing

@Suite("The record of what happened", .timeLimit(.minutes(10)))
struct HistoryTests {
  private let id = UUID()

  private func events(_ alarms: TestAlarms) async throws -> [AlarmHistoryEntry.Event] {
    try await alarms.manager.history(for: id).map(\.event).reversed()
  }

  @Test("tells an alarm that rang and was stopped from one that was cancelled")
  func why() async throws {
    let alarms = try TestAlarms(now: newYear)
    let other = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    try await alarms.manager.schedule(id: other, configuration: timer(600))
    await alarms.advance(by: .seconds(65))
    try alarms.manager.stop(id: id)
    try alarms.manager.cancel(id: other)
    #expect(try await events(alarms) == [.scheduled, .fired, .presented, .stopped])
    let entries = try await alarms.manager.history(for: other)
    #expect(entries.map(\.event) == [.cancelled, .scheduled])
  }

  @Test("says when, how late, of what and by whom")
  func particulars() async throws {
    let alarms = try TestAlarms(now: newYear, application: "kitchen")
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(65))
    try alarms.manager.stop(id: id)
    let entries = try await alarms.manager.history(for: id)
    let fired = try #require(entries.first { $0.event == .fired })
    #expect(fired.date == newYear + 60)
    #expect(fired.dueDate == newYear + 60)
    #expect(fired.lateness == 0)
    #expect(fired.title == "Tea")
    #expect(fired.alarmID == id)
    let stopped = try #require(entries.first)
    #expect(stopped.date == newYear + 65)
    #expect(stopped.source == "kitchen")
  }

  @Test("is as long as is asked for, the newest first, and of all alarms if none is named")
  func limit() async throws {
    let alarms = try TestAlarms(now: newYear)
    for _ in 0..<3 { try await alarms.manager.schedule(id: UUID(), configuration: timer(60)) }
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    #expect(try await alarms.manager.history().count == 4)
    let last = try await alarms.manager.history(limit: 1)
    #expect(last.map(\.alarmID) == [id])
    #expect(try await alarms.manager.history(for: UUID()).isEmpty)
  }
}

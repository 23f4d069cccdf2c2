import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Following alarms", .timeLimit(.minutes(10)))
struct UpdatesTests {
  private let id = UUID()

  /// The states of one alarm in so many updates; nil where it is not there.
  private func states(
    _ count: Int,
    of manager: AlarmManager,
    _ body: () async throws -> Void
  ) async throws -> [Alarm.State?] {
    var iterator = manager.alarmUpdates.makeAsyncIterator()
    var states: [Alarm.State?] = []
    let id = id
    func take() async {
      let alarms = await iterator.next(isolation: nil) ?? []
      states.append(alarms.first { $0.id == id }?.state)
    }
    await take()
    try await body()
    while states.count < count { await take() }
    return states
  }

  @Test("begins with what is there")
  func snapshot() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    let states = try await states(1, of: alarms.manager) {}
    #expect(states == [.countdown])
  }

  @Test("brings each state in order, however many pass before anybody looks")
  func order() async throws {
    let alarms = try TestAlarms(now: newYear)
    let manager = alarms.manager
    let states = try await states(8, of: manager) {
      try await manager.schedule(id: id, configuration: timer(60, snooze: 30))
      try manager.pause(id: id)
      try manager.resume(id: id)
      await alarms.advance(by: .seconds(60))
      try manager.countdown(id: id)
      await alarms.advance(by: .seconds(30))
      try manager.stop(id: id)
    }
    #expect(
      states
        == [nil, .countdown, .paused, .countdown, .alerting, .countdown, .alerting, nil]
    )
  }

  @Test("brings the same to two who follow")
  func two() async throws {
    let alarms = try TestAlarms(now: newYear)
    let manager = alarms.manager
    let one = manager.alarmUpdates
    var first = one.makeAsyncIterator()
    var second = one.makeAsyncIterator()
    _ = await (first.next(isolation: nil), second.next(isolation: nil))
    try await manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    for _ in 0..<2 {
      let state = await first.next(isolation: nil)?.first?.state
      #expect(state != nil)
      #expect(await second.next(isolation: nil)?.first?.state == state)
    }
  }

  @Test("ends with the task")
  func cancelled() async throws {
    let alarms = try TestAlarms(now: newYear)
    let manager = alarms.manager
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for await _ in manager.alarmUpdates {
        count += 1
        begin.yield()
      }
      return count
    }
    for await _ in begun { break }
    task.cancel()
    #expect(await task.value == 1)
  }

  @Test("works on the main actor")
  @MainActor
  func mainActor() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    var seen: [Alarm] = []
    for await list in alarms.manager.alarmUpdates {
      seen = list
      break
    }
    #expect(seen.map(\.id) == [id])
  }

  @Test("shows an alarm that is gone as one that is not there, and lists the next to ring first")
  func lists() async throws {
    let alarms = try TestAlarms(now: newYear)
    let ids = [UUID(), UUID(), UUID()]
    for (id, seconds) in zip(ids, [300.0, 100, 200]) {
      try await alarms.manager.schedule(id: id, configuration: timer(seconds))
    }
    var iterator = alarms.manager.alarmUpdates.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil)?.map(\.id) == [ids[1], ids[2], ids[0]])
    try alarms.manager.cancel(id: ids[1])
    #expect(await iterator.next(isolation: nil)?.map(\.id) == [ids[2], ids[0]])
  }

  @Test("goes on when the service was restarted, without anything that did not happen")
  func restart() async throws {
    let alarms = try TestAlarms(now: newYear)
    let manager = alarms.manager
    let states = try await states(4, of: manager) {
      try await manager.schedule(id: id, configuration: timer(60))
      try await alarms.restartService()
      await alarms.advance(by: .seconds(60))
      try manager.stop(id: id)
    }
    #expect(states == [nil, .countdown, .alerting, nil])
  }
}

import Foundation
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

@testable import TocsinApplication

/// Lets the daemon be killed while something is under way, and started again.
@Suite("A daemon that is killed at any point", .timeLimit(.minutes(10)))
struct CrashTests {
  /// How often each is tried; the moment differs by itself, and with the number.
  static let rounds = 8

  /// Kills the daemon while an answer is awaited, and starts another.
  private func crash(
    _ ground: Ground,
    _ daemon: inout Program,
    after lines: Int,
    during body: @escaping @Sendable () async throws -> ApplicationAnswer
  ) async throws -> ApplicationAnswer {
    async let answer = body()
    let old = daemon
    daemon = try await onThread {
      // Something of a moment that differs, without a clock: so many questions of somebody else.
      if let other = try? Connection(to: ground.socket, within: patience) {
        for _ in 0..<lines { try other.request(.silences, within: patience) }
      }
      try old.crash()
      return try ground.daemon()
    }
    return try await answer
  }

  private func ringing(
    _ link: ApplicationLink,
    _ updates: inout AsyncStream<[AlarmStatus]>.Iterator,
    _ alarm: Alarm
  ) async throws -> AlarmStatus {
    _ = try await link.answer(to: .schedule(alarm))
    while let alarms = await updates.next() {
      if let status = alarms.first(where: { $0.alarm.id == alarm.id }), status.state == .alerting {
        return status
      }
    }
    throw Failure("it does not ring")
  }

  @Test("in the middle of a schedule: the alarm is there once, and the call succeeds")
  func schedule() async throws {
    let ground = try Ground()
    var daemon = try ground.daemon()
    let link = ground.link()
    // It has joined, or it would serve itself as soon as nobody is there.
    _ = try await link.answer(to: .next)
    for round in 0..<Self.rounds {
      let alarm = timer(600 + Double(round), "\(round)")
      let answer = try await crash(ground, &daemon, after: round % 4) {
        try await link.answer(to: .schedule(alarm))
      }
      #expect(answer.alarms.map(\.alarm.id) == [alarm.id])
      #expect(link.alarms.map(\.alarm.title) == (0...round).map { "\($0)" })
    }
    try await onThread { link.close() }
  }

  @Test("in the middle of a stop: it is stopped, the call succeeds, and readers see each state")
  func stop() async throws {
    let ground = try Ground()
    var daemon = try ground.daemon()
    let link = ground.link()
    var updates = link.alarmUpdates().makeAsyncIterator()
    for round in 0..<Self.rounds {
      let alarm = timer(0.01)
      let status = try await ringing(link, &updates, alarm)
      let occurrence = try #require(status.occurrence)
      _ = try await crash(ground, &daemon, after: round % 4) {
        try await link.answer(
          to: round.isMultiple(of: 2)
            ? .act(.stop, alarm.id) : .intent(Intent(.stop, .occurrence(occurrence)))
        )
      }
      #expect(link.alarms.isEmpty)
      while let alarms = await updates.next(), !alarms.isEmpty {
        #expect(alarms.map(\.state) == [.alerting])
      }
    }
    let history = try await link.answer(
      to: .history(Request.HistoryFilter(events: [.stopped]))
    )
    #expect(history.entries.count == Self.rounds)
    try await onThread { link.close() }
  }

  @Test("in the middle of a snooze: it snoozes once, under the same occurrence")
  func snooze() async throws {
    let ground = try Ground()
    var daemon = try ground.daemon()
    let link = ground.link()
    var updates = link.alarmUpdates().makeAsyncIterator()
    for round in 0..<Self.rounds {
      let alarm = timer(0.01, snooze: 600)
      let status = try await ringing(link, &updates, alarm)
      _ = try await crash(ground, &daemon, after: round % 4) {
        try await link.answer(to: .act(.snooze, alarm.id))
      }
      let now = try #require(link.alarms.first)
      #expect(now.state == .countdown && now.countdown?.snooze == true)
      #expect(now.occurrence == status.occurrence)
      while let alarms = await updates.next(), alarms.first?.state != .countdown {}
      _ = try await crash(ground, &daemon, after: round % 4) {
        try await link.answer(to: .act(.cancel, alarm.id))
      }
      #expect(link.alarms.isEmpty)
    }
    let history = try await link.answer(
      to: .history(Request.HistoryFilter(events: [.snoozed, .cancelled]))
    )
    #expect(history.entries.filter { $0.event == .snoozed }.count == Self.rounds)
    #expect(history.entries.filter { $0.event == .cancelled }.count == Self.rounds)
    try await onThread { link.close() }
  }

  @Test("in the middle of an extension: the countdown is longer once")
  func extend() async throws {
    let ground = try Ground()
    var daemon = try ground.daemon()
    let link = ground.link()
    let alarm = timer(6_000)
    _ = try await link.answer(to: .schedule(alarm))
    for round in 0..<Self.rounds {
      _ = try await crash(ground, &daemon, after: round % 4) {
        try await link.answer(
          to: .intent(Intent(.extend, .named(alarm.id.description), duration: 60))
        )
      }
      #expect(link.alarms.first?.countdown?.total == 6_000 + 60 * Double(round + 1))
    }
    try await onThread { link.close() }
  }
}

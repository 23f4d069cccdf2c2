import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinApplication

@Suite("Who reads updates", .timeLimit(.minutes(10)))
struct ReaderTests {
  @Test("Each reader gets a snapshot and then every state, however slowly it reads")
  func independent() async throws {
    let link = ApplicationLink.embedded()
    let (early, slow) = (link.alarmUpdates(), link.alarmUpdates())
    var states: [AlarmState?] = []
    try await onThread {
      let alarm = timer(60)
      try link.wait(for: .schedule(alarm))
      for _ in 0..<100 {
        try link.wait(for: .act(.pause, alarm.id))
        try link.wait(for: .act(.resume, alarm.id))
      }
    }
    var late = link.alarmUpdates().makeAsyncIterator()
    #expect(await late.next()?.map(\.state) == [.countdown])
    try await onThread { link.close() }
    for await alarms in slow { states.append(alarms.first?.state) }
    // The first may have been taken before anything was scheduled, or not.
    if states.first == AlarmState?.none { states.removeFirst() }
    let pairs = Array(repeating: [AlarmState.paused, .countdown], count: 100).flatMap(\.self)
    #expect(states == [.countdown] + pairs)
    var count = 0
    for await _ in early { count += 1 }
    #expect(count >= states.count)
  }

  @Test("A reader whose task ends is forgotten, and so is one that never reads")
  func forgotten() async throws {
    let link = ApplicationLink.embedded()
    _ = try await link.answer(to: .next)
    let seen = Notes()
    let task = Task {
      for await _ in link.alarmUpdates() { seen.add("seen") }
      seen.add("over")
    }
    try await onThread { try seen.wait(for: 1) }
    #expect(link.core.readerCount == 1)
    task.cancel()
    await task.value
    #expect(seen.all == ["seen", "over"])
    #expect(link.core.readerCount == 0)
    _ = link.accessUpdates()
    _ = link.alarmUpdates()
    #expect(link.core.readerCount == 0)
    try await onThread { link.close() }
  }

  @Test("A reader from before the first connection has its snapshot when there is one")
  func early() async throws {
    let ground = try Ground()
    let link = ground.link("kitchen", .daemon(socket: ground.socket))
    var alarms = link.alarmUpdates().makeAsyncIterator()
    var access = link.accessUpdates().makeAsyncIterator()
    let daemon = try LocalDaemon(ground)
    #expect(await alarms.next()?.isEmpty == true)
    #expect(await access.next() == .authorized)
    try await onThread { link.close() }
    #expect(await access.next() == nil)
    daemon.end()
  }
}

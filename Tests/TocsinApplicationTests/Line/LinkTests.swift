import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinApplication

@Suite("A program's line to a daemon", .timeLimit(.minutes(10)))
struct LinkTests {
  @Test("After an answer the alarms hold what it changed, on every call")
  func readYourWrites() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    try await onThread {
      #expect(link.alarms.isEmpty)
      #expect(link.access == .authorized)
      for _ in 0..<50 {
        let alarm = timer(600)
        let answer = try link.wait(for: .schedule(alarm))
        #expect(answer.alarms.map(\.alarm.id) == [alarm.id])
        #expect(link.alarms.map(\.alarm.id) == [alarm.id])
        #expect(link.alarms.first?.alarm.options.application == "kitchen")
        try link.wait(for: .act(.pause, alarm.id))
        #expect(link.alarms.map(\.state) == [.paused])
        try link.wait(for: .act(.cancel, alarm.id))
        #expect(link.alarms.isEmpty)
      }
      let unknown = failure { try link.wait(for: .act(.stop, newID())) }
      guard case .refused(let error)? = unknown else {
        Issue.record("an unknown alarm was stopped: \(String(describing: unknown))")
        return
      }
      #expect(error.code == .notFound)
    }
    link.close()
    daemon.end()
  }

  @Test("Two programs see only their own alarms, and each its own updates")
  func names() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let (kitchen, garden) = (ground.link("kitchen"), ground.link("garden"))
    var updates = garden.alarmUpdates().makeAsyncIterator()
    #expect(await updates.next()?.isEmpty == true)
    let (tea, water) = (timer(600, "Tea"), timer(600, "Water"))
    _ = try await kitchen.answer(to: .schedule(tea))
    _ = try await garden.answer(to: .schedule(water))
    #expect(await updates.next()?.map(\.alarm.title) == ["Water"])
    #expect(kitchen.alarms.map(\.alarm.title) == ["Tea"])
    #expect(garden.alarms.map(\.alarm.title) == ["Water"])
    let refusal = await failure(ofAwaited: {
      _ = try await garden.answer(to: .act(.cancel, tea.id))
    })
    guard case .refused(let error)? = refusal else {
      Issue.record("another program's alarm was cancelled")
      return
    }
    #expect(error.code == .notFound)
    kitchen.close()
    garden.close()
    daemon.end()
  }

  @Test("A daemon that ends and begins again is joined again, and what was asked meanwhile waits")
  func restart() async throws {
    let ground = try Ground()
    var daemon = try LocalDaemon(ground)
    let link = ground.link()
    var updates = link.alarmUpdates().makeAsyncIterator()
    #expect(await updates.next()?.isEmpty == true)
    let first = timer(600, "First")
    _ = try await link.answer(to: .schedule(first))
    #expect(await updates.next()?.count == 1)
    for title in ["Second", "Third"] {
      daemon.end()
      let alarm = timer(1_200, title)
      async let answer = link.answer(to: .schedule(alarm))
      daemon = try LocalDaemon(ground)
      #expect(try await answer.alarms.map(\.alarm.title) == [title])
      #expect(await updates.next()?.last?.alarm.title == title)
    }
    #expect(link.alarms.map(\.alarm.title) == ["First", "Second", "Third"])
    link.close()
    daemon.end()
  }

  @Test("What changed while no line was there is one new snapshot")
  func changedMeanwhile() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    var updates = link.alarmUpdates().makeAsyncIterator()
    #expect(await updates.next()?.isEmpty == true)
    let alarm = timer(600)
    _ = try await link.answer(to: .schedule(alarm))
    #expect(await updates.next()?.map(\.state) == [.countdown])
    daemon.end()
    // A service that listens nowhere changes the store behind the line's back.
    var options = ServiceOptions(environment: ground.environment, programDirectory: "/")
    options.store = .file(ground.store)
    options.log = Log { _, _ in }
    let hidden = ApplicationLink.hidden(options)
    _ = try await hidden.answer(to: .act(.pause, alarm.id))
    hidden.close()
    let again = try LocalDaemon(ground)
    #expect(await updates.next()?.map(\.state) == [.paused])
    link.close()
    again.end()
  }

  @Test("Thousands of calls from many threads are all answered, each its own")
  func crowd() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link(within: .seconds(120))
    let alarms = (0..<8).map { timer(600 + Double($0), "\($0)") }
    for alarm in alarms { _ = try await link.answer(to: .schedule(alarm)) }
    let right = Notes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for alarm in alarms {
        group.addTask {
          try await onThread {
            for _ in 0..<250 {
              let answer = try link.wait(for: .show(alarm.id.description))
              if answer.alarms.map(\.alarm.title) == [alarm.title] { right.add("right") }
            }
          }
        }
        group.addTask {
          try await withThrowingTaskGroup(of: Int.self) { calls in
            for _ in 0..<250 {
              calls.addTask {
                let answer = try await link.answer(to: .show(alarm.id.description))
                return answer.alarms.map(\.alarm.title) == [alarm.title] ? 1 : 0
              }
            }
            for try await one in calls where one == 1 { right.add("right") }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(right.all.count == 8 * 500)
    link.close()
    daemon.end()
  }

  @Test("A further connection has joined under the same name and can watch its own alarms")
  func furtherConnection() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    let alarm = timer(600)
    _ = try await link.answer(to: .schedule(alarm))
    try await onThread {
      let connection = try link.connect()
      var seen: [String] = []
      try connection.request(.list(Request.ListFilter()), within: patience) { reply in
        if case .alarm(_, let status) = reply { seen.append(status.alarm.title) }
      }
      #expect(seen == ["Tea"])
    }
    link.close()
    daemon.end()
  }

  @Test("A line that waits for nothing does not wake up")
  func idle() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let (idle, busy) = (ground.link("idle"), ground.link("busy"))
    _ = try await idle.answer(to: .next)
    // The wake-up of the answer itself may still be under way.
    var before = idle.core.wakeUps
    var turns = 0
    repeat {
      before = idle.core.wakeUps
      for _ in 0..<100 { _ = try await busy.answer(to: .next) }
      turns += 1
    } while idle.core.wakeUps != before && turns < 3
    #expect(idle.core.wakeUps == before)
    idle.close()
    busy.close()
    daemon.end()
  }
}

extension ApplicationLink {
  /// A line to a service of its own that runs as these options say.
  static func hidden(_ service: ServiceOptions) -> ApplicationLink {
    var options = ApplicationOptions(application: "kitchen", environment: [:])
    options.place = .embedded(service)
    options.answerTime = patience
    return ApplicationLink(options)
  }
}

@Suite("Whether a program may set alarms", .timeLimit(.minutes(10)))
struct AccessTests {
  @Test("It is told at once, when it asks, and when plugins.conf says otherwise")
  func updates() async throws {
    let ground = try Ground("[access]\ndefault = on-request\n")
    let daemon = try ground.daemon()
    let link = ground.link()
    var updates = link.accessUpdates().makeAsyncIterator()
    #expect(await updates.next() == .notDetermined)
    #expect(try await link.answer(to: .authorize).outcome.access == .authorized)
    #expect(await updates.next() == .authorized)
    #expect(link.access == .authorized)
    try ground.configure("[access]\ndeny = kitchen\n")
    daemon.signal(SIGHUP)
    #expect(await updates.next() == .denied)
    let refusal = await failure(ofAwaited: { _ = try await link.answer(to: .schedule(timer(600))) })
    guard case .refused(let error)? = refusal else {
      Issue.record("it sets an alarm: \(String(describing: refusal))")
      return
    }
    #expect(error.code == .permission)
    // It is no reason to leave: its alarms are still its own.
    try ground.configure("[access]\nallow = kitchen\n")
    daemon.signal(SIGHUP)
    #expect(await updates.next() == .authorized)
    _ = try await link.answer(to: .schedule(timer(600)))
    try await onThread { link.close() }
  }
}

import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinApplication

@Suite("A program that serves its own alarms", .timeLimit(.minutes(10)))
struct OwnServiceTests {
  @Test("Without a daemon it serves itself, with the user's store, and others join it")
  func takeOver() async throws {
    let ground = try Ground()
    let (kitchen, garden) = (ground.link("kitchen"), ground.link("garden"))
    let (tea, water) = (timer(600, "Tea"), timer(600, "Water"))
    _ = try await kitchen.answer(to: .schedule(tea))
    _ = try await garden.answer(to: .schedule(water))
    let status = try await garden.answer(to: .status).outcome.status
    #expect(status?.embedded == true)
    #expect(status?.store == ground.store)
    #expect(kitchen.core.destination.service != nil)
    #expect(garden.core.destination.path == ground.socket)
    var updates = garden.alarmUpdates().makeAsyncIterator()
    #expect(await updates.next()?.map(\.alarm.title) == ["Water"])
    // Nobody else is there then, and the alarms must ring.
    try await onThread { kitchen.close() }
    _ = try await garden.answer(to: .act(.pause, water.id))
    #expect(await updates.next()?.map(\.state) == [.paused])
    #expect(garden.core.destination.service != nil)
    // Who comes back joins the one that has the store now.
    let again = ground.link("kitchen")
    #expect(try await again.answer(to: .list(Request.ListFilter())).alarms.count == 1)
    #expect(again.core.destination.path == ground.socket)
    try await onThread {
      again.close()
      garden.close()
    }
  }

  @Test("Many programs that begin at once agree on one of them")
  func race() async throws {
    let ground = try Ground()
    let links = (0..<4).map { ground.link("program \($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for link in links {
        group.addTask { _ = try await link.answer(to: .schedule(timer(600))) }
      }
      try await group.waitForAll()
    }
    #expect(links.filter { $0.core.destination.service != nil }.count == 1)
    for link in links { #expect(link.alarms.count == 1) }
    try await onThread { for link in links { link.close() } }
  }

  @Test("A store that somebody has for now is waited for")
  func locked() async throws {
    let ground = try Ground()
    var options = ServiceOptions(environment: ground.environment, programDirectory: "/")
    options.store = .file(ground.store)
    options.log = Log { _, _ in }
    try FileManager.default.createDirectory(
      atPath: "\(ground.path)/state/tocsin",
      withIntermediateDirectories: true
    )
    let other = try EmbeddedService(options)
    let link = ground.link()
    let short = await failure(ofAwaited: {
      _ = try await link.answer(to: .next, within: .milliseconds(300))
    })
    guard case .unavailable(let text)? = short else {
      Issue.record("a locked store is not told of: \(String(describing: short))")
      return
    }
    #expect(text.contains(ground.store))
    async let answer = link.answer(to: .schedule(timer(600)))
    other.stop()
    #expect(try await answer.alarms.count == 1)
    try await onThread { link.close() }
  }

  @Test("A daemon that was joined is waited for, though the store is free")
  func noTakeOver() async throws {
    let ground = try Ground()
    var daemon = try LocalDaemon(ground)
    let link = ground.link()
    let alarm = timer(600)
    _ = try await link.answer(to: .schedule(alarm))
    daemon.end()
    let away = await failure(ofAwaited: {
      _ = try await link.answer(to: .next, within: .milliseconds(500))
    })
    guard case .unavailable(let text)? = away else {
      Issue.record("somebody answers: \(String(describing: away))")
      return
    }
    #expect(text.contains("tocsind"))
    #expect(link.core.destination.service == nil)
    #expect(link.alarms.map(\.alarm.id) == [alarm.id])
    daemon = try LocalDaemon(ground)
    #expect(try await link.answer(to: .list(Request.ListFilter())).alarms.count == 1)
    link.close()
    daemon.end()
  }

  @Test("A plugins.conf with errors says so at once")
  func brokenConfiguration() async throws {
    let ground = try Ground("[daemon]\nsnoze = 9min\n")
    let link = ground.link()
    let broken = await failure(ofAwaited: { _ = try await link.answer(to: .next) })
    guard case .unavailable(let text)? = broken else {
      Issue.record("it serves: \(String(describing: broken))")
      return
    }
    #expect(text.contains("plugins.conf:2"))
    link.close()
  }

  @Test("Time that is moved by hand has passed when the call returns, for alarms and for readers")
  func virtualTime() async throws {
    let link = ApplicationLink.embedded()
    var updates = link.alarmUpdates().makeAsyncIterator()
    #expect(await updates.next()?.isEmpty == true)
    try await onThread {
      let alarm = timer(60, snooze: 300)
      try link.wait(for: .schedule(alarm))
      try link.advance(by: .seconds(59))
      #expect(link.alarms.map(\.state) == [.countdown])
      try link.advance(by: .seconds(1))
      #expect(link.alarms.map(\.state) == [.alerting])
      try link.wait(for: .act(.snooze, alarm.id))
      try link.advance(by: .seconds(300))
      #expect(link.alarms.map(\.state) == [.alerting])
      try link.wait(for: .act(.stop, alarm.id))
      #expect(link.alarms.isEmpty)
    }
    var states: [AlarmState?] = []
    repeat {
      guard let alarms = await updates.next() else { break }
      // Sinks change what is known of a ring; here it is about the states.
      if states.isEmpty || states.last != alarms.first?.state { states.append(alarms.first?.state) }
    } while states.last != AlarmState?.none
    #expect(states == [.countdown, .alerting, .countdown, .alerting, nil])
    try await onThread {
      link.close()
      let over = failure { try link.advance(by: .seconds(1)) }
      guard case .unavailable? = over else {
        Issue.record("time goes on after the end")
        return
      }
    }
  }

  @Test("A daemon's time cannot be moved")
  func noVirtualTime() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    try await onThread {
      guard case .unavailable(let text)? = failure({ try link.advance(by: .seconds(1)) }) else {
        Issue.record("a daemon's time was moved")
        return
      }
      #expect(text.contains("daemon"))
    }
    link.close()
    daemon.end()
  }

  @Test("A service of its own can be connected to once more")
  func furtherConnection() async throws {
    let link = ApplicationLink.embedded()
    _ = try await link.answer(to: .schedule(timer(60)))
    try await onThread {
      let connection = try link.connect()
      #expect(try connection.request(.list(Request.ListFilter()), within: patience).count == 1)
      link.close()
      guard case .unavailable? = failure({ _ = try link.connect() }) else {
        Issue.record("it connects after the end")
        return
      }
    }
  }

  @Test("A line that is let go of ends its service, and frees the store")
  func letGo() async throws {
    let ground = try Ground()
    for _ in 0..<3 {
      let link = ground.link()
      _ = try await link.answer(to: .schedule(timer(600)))
    }
    let last = ground.link()
    #expect(try await last.answer(to: .list(Request.ListFilter())).alarms.count == 3)
    try await onThread { last.close() }
  }
}

@Suite("Where a program's alarms are kept")
struct PlaceTests {
  private func name(_ word: String?) -> String {
    var environment = ["HOME": "/home/somebody"]
    environment["TOCSIN_ALARMKIT"] = word
    switch ApplicationOptions.Place(environment: environment) {
    case .automatic: return "automatic"
    case .daemon(let socket): return "daemon \(socket ?? "anywhere")"
    case .user(let isEphemeral): return isEphemeral ? "ephemeral" : "embedded"
    case .embedded: return "options"
    case .nowhere(let reason): return reason
    }
  }

  @Test("The environment says it")
  func words() {
    #expect(name(nil) == "automatic")
    #expect(name("") == "automatic")
    #expect(name("automatic") == "automatic")
    #expect(name("daemon") == "daemon anywhere")
    #expect(name("embedded") == "embedded")
    #expect(name("ephemeral") == "ephemeral")
    #expect(name("Daemon").hasPrefix("TOCSIN_ALARMKIT says \"Daemon\"; set it to"))
  }

  @Test("A word that is none fails each call with the remedy", .timeLimit(.minutes(10)))
  func nowhere() async throws {
    let ground = try Ground()
    let link = ground.link(
      "kitchen",
      ApplicationOptions.Place(environment: ["TOCSIN_ALARMKIT": "x"])
    )
    let refusal = await failure(ofAwaited: { _ = try await link.answer(to: .next) })
    guard case .unavailable(let text)? = refusal else {
      Issue.record("it is answered: \(String(describing: refusal))")
      return
    }
    #expect(text.contains("TOCSIN_ALARMKIT"))
    link.close()
  }

  @Test(
    "Embedded never asks a daemon, and without a store nothing is kept",
    .timeLimit(.minutes(10)),
    arguments: [true, false]
  )
  func own(isEphemeral: Bool) async throws {
    let ground = try Ground()
    for count in 0..<2 {
      let link = ground.link("kitchen", .user(isEphemeral: isEphemeral))
      #expect(try await onThread { link.alarms.count } == (isEphemeral ? 0 : count))
      let status = try await link.answer(to: .status).outcome.status
      #expect(status?.store == (isEphemeral ? nil : ground.store))
      _ = try await link.answer(to: .schedule(timer(600)))
      try await onThread { link.close() }
    }
    #expect(FileManager.default.fileExists(atPath: ground.store) == !isEphemeral)
  }
}

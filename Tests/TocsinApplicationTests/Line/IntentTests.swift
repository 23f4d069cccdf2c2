import Foundation
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinApplication

@Suite("Intents of a program", .timeLimit(.minutes(10)))
struct IntentTests {
  /// Somebody who is not the program presses something.
  private func press(
    _ ground: Ground,
    _ action: AlarmAction,
    _ occurrence: OccurrenceID
  ) async throws {
    try await onThread {
      let person = try Connection(to: ground.socket, within: patience)
      try person.request(.intent(Intent(action, .occurrence(occurrence))), within: patience)
    }
  }

  /// The record of intents that have run, when there are so many; asked for until there are.
  private func performed(_ link: ApplicationLink, _ count: Int) async throws -> [HistoryEntry] {
    while true {
      let filter = Request.HistoryFilter(events: [.performed])
      let entries = try await link.answer(to: .history(filter)).entries
      if entries.count >= count { return entries }
    }
  }

  @Test("A person's stop runs the stop intent, once, and the record says how it went")
  func stop() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    let runs = Notes()
    link.perform { intent in
      runs.add("\(intent.call.type) \(intent.done?.rawValue ?? "nothing")")
      return "no water"
    }
    let status = try await link.ringing(.answered(0.01))
    try await press(ground, .stop, try #require(status.occurrence))
    let entries = try await performed(link, 1)
    #expect(entries.map(\.detail) == ["no water"])
    #expect(entries.map(\.application) == ["kitchen"])
    #expect(runs.all == ["Stopped stop"])
    // What the program does itself calls for none.
    let own = try await link.ringing(.answered(0.01))
    _ = try await link.answer(to: .intent(Intent(.stop, .occurrence(try #require(own.occurrence)))))
    #expect(try await performed(link, 1).count == 1)
    #expect(runs.all.count == 1)
    try await onThread { link.close() }
    daemon.end()
  }

  @Test("A program that begins to run intents later is handed those that wait")
  func later() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    let status = try await link.ringing(.answered(0.01))
    try await press(ground, .stop, try #require(status.occurrence))
    let runs = Notes()
    link.perform {
      runs.add($0.call.type)
      return nil
    }
    try await onThread { try runs.wait(for: 1) }
    #expect(try await performed(link, 1).count == 1)
    try await onThread { link.close() }
    daemon.end()
  }

  @Test("One that had not ended when the program left runs in the next")
  func nextProgram() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let first = ground.link()
    let runs = Notes()
    let (gate, open) = AsyncStream<Void>.makeStream()
    first.perform {
      runs.add("first \($0.number)")
      for await _ in gate {}
      return nil
    }
    let status = try await first.ringing(.answered(0.01))
    try await press(ground, .stop, try #require(status.occurrence))
    try await onThread {
      try runs.wait(for: 1)
      first.close()
    }
    let second = ground.link()
    second.perform {
      runs.add("second \($0.number)")
      return nil
    }
    try await onThread { try runs.wait(for: 2) }
    let numbers = Set(runs.all.compactMap { $0.split(separator: " ").last })
    #expect(numbers.count == 1)
    #expect(try await performed(second, 1).count == 1)
    open.finish()
    try await onThread { second.close() }
    daemon.end()
  }

  @Test(
    "Those of one alarm run one after the other, those of two at once, and a call within is answered"
  )
  func turns() async throws {
    let ground = try Ground()
    let daemon = try LocalDaemon(ground)
    let link = ground.link()
    let runs = Notes()
    let (gate, open) = AsyncStream<Void>.makeStream()
    link.perform { intent in
      let name = intent.action == .secondary ? "custom" : "stop"
      runs.add("\(name) begins")
      if name == "custom" { for await _ in gate {} }
      // A call from within, as intents make them.
      _ = try? await link.answer(to: .list(Request.ListFilter()))
      runs.add("\(name) ends")
      return nil
    }
    let one = try await link.ringing(.answered(0.01, custom: true))
    let other = try await link.ringing(.answered(0.01))
    try await press(ground, .secondary, try #require(one.occurrence))
    try await onThread { try runs.wait(for: 1) }
    try await press(ground, .stop, try #require(one.occurrence))
    try await press(ground, .stop, try #require(other.occurrence))
    // The other alarm's runs to its end, and that of the first waits.
    try await onThread { try runs.wait(for: 3) }
    #expect(runs.all == ["custom begins", "stop begins", "stop ends"])
    open.finish()
    #expect(try await performed(link, 3).count == 3)
    #expect(Array(runs.all.dropFirst(3)) == ["custom ends", "stop begins", "stop ends"])
    try await onThread { link.close() }
    daemon.end()
  }

  @Test("A daemon that is killed while an intent runs hands it over again, and it runs once")
  func killedWhileRunning() async throws {
    let ground = try Ground()
    let daemons = Daemons(ground, try ground.daemon())
    let link = ground.link()
    let runs = Notes()
    link.perform { intent in
      runs.add("\(intent.number)")
      do {
        try await onThread { try daemons.replace() }
        return nil
      } catch { return "\(error)" }
    }
    for round in 1...4 {
      let status = try await link.ringing(.answered(0.01))
      try await press(ground, .stop, try #require(status.occurrence))
      let entries = try await performed(link, round)
      #expect(entries.count == round)
      #expect(entries.allSatisfy { $0.detail == nil })
      #expect(runs.all.count == round)
    }
    #expect(Set(runs.all).count == 4)
    try await onThread { link.close() }
  }

  @Test(
    "Killed at any point of a person's answer, no intent is lost and none runs twice",
    arguments: [
      "stop", "snooze", "custom",
    ]
  )
  func killedAnywhere(answer: String) async throws {
    let ground = try Ground()
    let daemons = Daemons(ground, try ground.daemon())
    let link = ground.link()
    let runs = Notes()
    link.perform { intent in
      runs.add("\(intent.number)")
      return nil
    }
    let action: AlarmAction = answer == "stop" ? .stop : .secondary
    for round in 0..<8 {
      let before = runs.all.count
      let alarm = Alarm.answered(0.01, custom: answer == "custom")
      let status = try await link.ringing(alarm)
      let occurrence = try #require(status.occurrence)
      async let pressed: Bool = onThread { [self] in
        try isPressed(ground, action, occurrence)
      }
      try await onThread { try daemons.replace(after: round) }
      var isSure = try await pressed
      while !isSure {
        // Whoever does not know looks again, and presses again if it still rings.
        let now = try await link.answer(to: .list(Request.ListFilter())).alarms
        guard now.contains(where: { $0.alarm.id == alarm.id && $0.state == .alerting }) else {
          break
        }
        isSure = try await onThread { [self] in try isPressed(ground, action, occurrence) }
      }
      try await onThread { try runs.wait(for: before + 1) }
      // A stopped one is gone already.
      _ = await failure(ofAwaited: { _ = try await link.answer(to: .act(.cancel, alarm.id)) })
    }
    // Pressed twice, a custom button may have called for two; but each number has run once.
    let all = runs.all
    let count = all.count
    #expect(answer == "custom" ? (8...16).contains(count) : count == 8)
    #expect(Set(all).count == count)
    #expect(try await performed(link, count).count >= count)
    try await onThread { link.close() }
  }

  private func isPressed(
    _ ground: Ground,
    _ action: AlarmAction,
    _ occurrence: OccurrenceID
  ) throws -> Bool {
    do {
      let person = try Connection(to: ground.socket, within: patience)
      try person.request(.intent(Intent(action, .occurrence(occurrence))), within: patience)
      return true
    } catch {
      if case .timeout = error { throw error }
      return false
    }
  }
}

/// The daemon of a test, of which there is one at a time.
private final class Daemons: Sendable {
  private let ground: Ground
  private let current: Lock<Program>

  init(_ ground: Ground, _ first: Program) {
    self.ground = ground
    current = Lock(first)
  }

  /// Kills the daemon after so many questions of somebody else, and starts another.
  func replace(after questions: Int = 0) throws {
    let old = current.withLock { $0 }
    if questions > 0, let other = try? Connection(to: ground.socket, within: patience) {
      for _ in 0..<questions { try other.request(.silences, within: patience) }
    }
    try old.crash()
    let new = try ground.daemon()
    current.withLock { $0 = new }
  }
}

extension Alarm {
  /// A timer with intents for both buttons.
  fileprivate static func answered(_ seconds: Double, custom: Bool = false) -> Alarm {
    var alarm = timer(seconds, snooze: 600)
    alarm.options.intents = AlarmIntents(
      stop: IntentCall(type: "Stopped"),
      secondary: IntentCall(type: "Pressed")
    )
    alarm.options.buttons = [
      AlarmButton(
        role: .secondary,
        text: "More",
        behavior: custom ? .custom : .countdown
      )
    ]
    return alarm
  }
}

extension ApplicationLink {
  /// Schedules an alarm and waits until it rings.
  fileprivate func ringing(_ alarm: Alarm) async throws -> AlarmStatus {
    let updates = alarmUpdates()
    _ = try await answer(to: .schedule(alarm))
    for await alarms in updates {
      if let status = alarms.first(where: { $0.alarm.id == alarm.id }), status.state == .alerting {
        return status
      }
    }
    throw Failure("it does not ring")
  }
}

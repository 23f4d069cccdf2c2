import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

private func occurrence(_ alarm: AlarmID) -> OccurrenceID {
  OccurrenceID(alarm: alarm, origin: Instant(seconds: 5), serial: 0)
}

private func tea(_ state: AlarmState) -> SinkMessage {
  let far = Instant(seconds: 4_000_000_000)
  let countdown =
    state == .alerting
    ? nil
    : Presentation.Countdown(
      start: nil,
      fire: state == .paused ? nil : far,
      total: 600,
      elapsed: 350,
      snooze: false
    )
  return .present(
    Presentation(
      seq: 1,
      occurrence: occurrence(id(1)),
      title: "Tea",
      kind: .timer,
      state: state,
      due: far,
      countdown: countdown
    )
  )
}

private let stopped = SinkMessage.cleared(
  SinkMessage.Cleared(
    seq: 2,
    occurrence: occurrence(id(1)),
    title: "Tea",
    reason: .stopped,
    source: "cli"
  )
)

/// A daemon whose one timer counts, pauses, rings when it is resumed, and is stopped.
private func daemon(ringsAtOnce: Bool = false) throws -> FakeDaemon {
  try FakeDaemon { request, client in
    client.send(Reply.ok(id: request.id, Reply.Outcome(count: 1)))
    switch request.body {
    case .schedule:
      client.send(tea(ringsAtOnce ? .alerting : .countdown))
      if ringsAtOnce { client.send(stopped) }
    case .intent(let intent):
      switch intent.action {
      case .pause: client.send(tea(.paused))
      case .resume: client.send(tea(.alerting))
      case .stop: client.send(stopped)
      case .cancel: client.hangUp()
      default: break
      }
    default: break
    }
  }
}

@Suite("Following in a terminal", .timeLimit(.minutes(10)))
struct FollowTerminalTests {
  private static let words = ["timer", "10m", "Tea", "--id", "\(id(1))", "--follow"]

  private func start(_ daemon: FakeDaemon) throws -> CommandInTerminal {
    let terminal = try CommandInTerminal(
      Self.words,
      environment: ["TOCSIN_SOCKET": daemon.path, "TZ": "Europe/Berlin", "TERM": "xterm"]
    )
    #expect(terminal.wait(for: "Tea: 10 min"), "\(terminal.output)")
    #expect(terminal.wait(for: "q leaves"), "\(terminal.output)")
    #expect(terminal.wait(for: "COUNTING"), "\(terminal.output)")
    #expect(terminal.isRaw)
    return terminal
  }

  @Test("keys pause, go on and stop, and the terminal is as before")
  func keys() throws {
    let daemon = try daemon()
    let terminal = try start(daemon)
    try terminal.type("\n")
    #expect(terminal.wait(for: "it still counts; q leaves"))
    try terminal.type("p")
    #expect(terminal.wait(for: "Tea (4:10 left)"))
    try terminal.type("\u{1b}[15~\u{1b}OQp")
    #expect(terminal.wait(for: "TIMER"))
    try terminal.type(" ")
    #expect(terminal.wait(for: "Tea by cli"))
    #expect(terminal.finish() == 0)
    #expect(!terminal.isRaw)
    let intents = daemon.requests.compactMap { request -> Intent? in
      if case .intent(let intent) = request.body { intent } else { nil }
    }
    let target = AlarmTarget.occurrence(occurrence(id(1)))
    #expect(intents == [Intent(.pause, target), Intent(.resume, target), Intent(.stop, target)])
  }

  @Test("leaving says that it goes on, and is 130 by q and Ctrl-C", arguments: ["q", "\u{3}"])
  func leaving(key: String) throws {
    let daemon = try daemon()
    let terminal = try start(daemon)
    try terminal.type(key)
    #expect(terminal.wait(for: "tocsin: Tea goes on in the daemon and rings at "))
    #expect(terminal.finish() == 130)
    #expect(!terminal.isRaw)
  }

  @Test("signals that end it leave the terminal as it was", arguments: [SIGTERM, SIGHUP])
  func signals(number: Int32) throws {
    let daemon = try daemon()
    let terminal = try start(daemon)
    kill(terminal.process, number)
    #expect(terminal.finish() == 143)
    #expect(!terminal.isRaw)
  }

  @Test("while it is stopped the terminal is as before, and after it goes on keys act again")
  func stopAndContinue() throws {
    let daemon = try daemon()
    let terminal = try start(daemon)
    try terminal.type("\u{1a}")
    #expect(terminal.waitUntilStopped())
    #expect(!terminal.isRaw)
    terminal.forgetOutput()
    kill(terminal.process, SIGCONT)
    #expect(terminal.wait(for: "Tea "))
    try terminal.type("q")
    #expect(terminal.finish() == 130)
  }

  @Test("a daemon that goes away is told, and the terminal is as before")
  func lost() throws {
    let path: String
    let terminal: CommandInTerminal
    do {
      let daemon = try FakeDaemon { request, client in
        client.send(Reply.ok(id: request.id, Reply.Outcome(count: 1)))
        switch request.body {
        case .schedule: client.send(tea(.countdown))
        case .intent: client.hangUp()
        default: break
        }
      }
      path = daemon.path
      terminal = try start(daemon)
      try terminal.type("p")
      #expect(terminal.wait(for: "the daemon at \(path) closed the connection"))
    }
    #expect(terminal.finish() == 69)
    #expect(!terminal.isRaw)
  }

  @Test("without a terminal the end of input ends nothing, and each line stands for itself")
  func noTerminal() throws {
    let daemon = try daemon(ringsAtOnce: true)
    let environment = ["TOCSIN_SOCKET": daemon.path, "TZ": "Europe/Berlin"]
    let result = try Program.run(["tocsin"] + Self.words, environment: environment)
    #expect(result.code == 0)
    let text = result.out
    let lines = text.split(separator: "\n")
    #expect(lines.count == 3, "\(text)")
    #expect(lines.first?.hasPrefix("Tea: 10 min, rings at ") == true)
    #expect(lines.dropFirst().first?.hasSuffix("  TIMER     Tea") == true, "\(text)")
    #expect(lines.last?.hasSuffix("  STOPPED   Tea by cli") == true)
    #expect(!text.contains("\u{1b}"))
  }

  @Test("with --json what was set comes first, then each event, one object a line")
  func json() throws {
    let daemon = try daemon(ringsAtOnce: true)
    let result = try Program.run(
      ["tocsin"] + Self.words + ["--json"],
      environment: ["TOCSIN_SOCKET": daemon.path]
    )
    #expect(result.code == 0)
    let objects = try result.out.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(objects.map { $0?["type"] as? String } == [nil, "alert", "cleared"])
    #expect((objects.first??["alarm"] as? [String: Any])?["title"] as? String == "Tea")
  }
}

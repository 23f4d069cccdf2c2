import Glibc
import ProcessTesting
import SinkTesting
import Testing

@testable import SinkKit

@Suite(.serialized, .timeLimit(.minutes(10))) struct ConsoleProcessTests {
  /// Greets it and takes its `ready`.
  private func start(
    _ console: SpawnedSink,
    _ settings: [String: String] = [:]
  ) throws -> SpawnedSink {
    try console.hello(settings, as: "console")
    let ready = SinkReport.Ready(
      name: "tocsin-console",
      version: Version.text,
      capabilities: ["visual"],
      audible: false
    )
    #expect(try console.report() == .ready(ready))
    return console
  }

  @Test("An alert is written to descriptor 3, then confirmed; bye ends it with 0")
  func alert() throws {
    let console = try start(SpawnedSink.console())
    try console.send(.sync([]), .present(Sample.alert(seq: 7)))
    #expect(try console.report() == .presented(seq: 7))
    #expect(try console.program.display.line()?.hasSuffix("  ALARM     Wake up") == true)
    try console.send(.cleared(Sample.cleared(seq: 8, .stopped, by: "cli")), .ping)
    #expect(try console.report() == .presented(seq: 8))
    #expect(try console.report() == .pong)
    #expect(try console.program.display.line()?.hasSuffix("  STOPPED   Wake up by cli") == true)
    try console.send(.bye)
    #expect(try console.report() == nil)
    #expect(try console.exitCode() == 0)
  }

  @Test("In JSON each event is written as it came, one object a line")
  func json() throws {
    let console = try start(SpawnedSink.console(), ["format": "json"])
    let secondary = SinkMessage.Secondary(
      seq: 4,
      occurrence: Sample.occurrence(0),
      source: "lamp"
    )
    let events: [SinkMessage] = [
      .sync([Sample.countdown(seq: 1)]), .present(Sample.alert(seq: 2, title: "\u{1B}[2J\n")),
      .cleared(Sample.cleared(seq: 3, .stopped)), .secondary(secondary),
      .missed(Sample.missed(.late)), .notice(Sample.notice(seq: 5)),
      .cleared(Sample.cleared(seq: 6, .rerouted)),
    ]
    for event in events { try console.send(event) }
    try console.send(.bye)
    let lines = try console.program.display.rest().split(separator: "\n").map { Array($0.utf8) }
    #expect(try lines.map { try JSONLine.decode(SinkMessage.self, from: $0) } == events)
    #expect(!lines.joined().contains(0x1B))
    #expect(try console.exitCode() == 0)
  }

  @Test("Rubbish, unknown types and over-long lines are skipped, and what follows is shown")
  func garbage() throws {
    let console = try start(SpawnedSink.console())
    let lines = [
      "rubbish", "{\"type\":7}", "{\"type\":\"dance\"}", "{}", "[]", "\u{0}",
      "{\"type\":\"alert\"}", "",
    ]
    for line in lines { try console.program.write(Array("\(line)\n".utf8)) }
    try console.program.write([0xFF, 0xC0, 0x0A])
    try console.program.write([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [0x0A])
    try console.send(.present(Sample.alert(seq: 7)))
    var logs = 0
    while case .log? = try console.report() { logs += 1 }
    #expect(logs == 8)
    try console.send(.ping)
    #expect(try console.report() == .pong)
    #expect(try console.program.display.line()?.contains("Wake up") == true)
  }

  @Test("What comes before hello is not shown but logged, and a ping is answered even then")
  func beforeHello() throws {
    let console = try SpawnedSink.console()
    try console.send(.ping, .present(Sample.alert()))
    #expect(try console.report() == .pong)
    _ = try console.log()
    _ = try start(console)
  }

  @Test("Wrong settings are told, one line each, and the code is that of a wrong configuration")
  func misconfigured() throws {
    let console = try SpawnedSink.console()
    try console.hello(["format": "xml", "colour": "yes"], as: "console")
    var lines: [String] = []
    while case .log(let log)? = try console.report() {
      lines.append("\(log.level ?? "") \(log.message)")
    }
    #expect(
      lines == [
        "error [plugin console] format = \"xml\" is none of text, json",
        "error [plugin console] colour is no setting of this sink; did you mean color?",
      ]
    )
    #expect(try console.exitCode() == 78)
  }

  @Test("It ends with 0 when its input or its output is closed", arguments: [0, 1] as [CInt])
  func closing(descriptor: CInt) throws {
    let console = try start(SpawnedSink.console())
    console.program.close(descriptor)
    #expect(try console.exitCode() == 0)
  }

  @Test("It ends with 0 when it never had an input or output", arguments: [0, 1] as [CInt])
  func closedFromTheStart(descriptor: CInt) throws {
    let console = try SpawnedSink.console(
      input: descriptor == 0 ? .closed : .pipe,
      output: descriptor == 1 ? .closed : .pipe
    )
    #expect(try console.exitCode() == 0)
  }

  @Test("Signals end it with 0", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(number: CInt) throws {
    let console = try start(SpawnedSink.console())
    console.signal(number)
    #expect(try console.exitCode() == 0)
  }

  @Test("Without descriptor 3 it writes to standard error and says so")
  func withoutDisplay() throws {
    let console = try SpawnedSink.console(display: .closed)
    try console.hello(as: "console")
    let log = try console.log()
    #expect(log.message.contains("descriptor 3"))
    try console.send(.present(Sample.alert()))
    #expect(try console.program.errors.line()?.contains("Wake up") == true)
  }

  @Test("When nobody has the other end of descriptor 3, it says failed and lives on, quietly")
  func brokenDisplay() throws {
    let console = try start(SpawnedSink.console())
    console.program.close(3)
    try console.send(.present(Sample.alert(seq: 1)), .present(Sample.alert(seq: 2, 1)), .ping)
    _ = try console.log()
    for seq: UInt64 in [1, 2] {
      let failed = try console.failure()
      #expect(failed.seq == seq)
      #expect(failed.reason == "the output cannot be written to: Broken pipe")
    }
    #expect(try console.report() == .pong)
  }

  @Test("A full descriptor 3 delays nobody: pings are answered, failed is said, the oldest goes")
  func blockedDisplay() throws {
    let console = try start(SpawnedSink.console(), ["format": "json"])
    // A pipe holds 64 KiB, the buffer 256.
    let title = String(repeating: "x", count: 4_000)
    var answers: [UInt64: [String]] = [:]
    func note(_ report: SinkReport?) {
      switch report {
      case .presented(let seq)?: answers[seq, default: []].append("presented")
      case .failed(let failed)?:
        answers[failed.seq, default: []].append(failed.retry == true ? "stalled" : "failed")
      default: break
      }
    }
    for seq in 1...120 {
      try console.send(.present(Sample.alert(seq: UInt64(seq), UInt32(seq), title: title)), .ping)
      var report = try console.report()
      while report != .pong {
        note(report)
        report = try console.report()
      }
    }
    #expect(answers.values.filter { $0.contains("failed") }.count > 20)
    while answers.count < 120 { note(try console.report()) }
    #expect(answers[1] == ["presented"])
    #expect(answers[120] == ["stalled"])
    // Now somebody reads again.
    var lines = 0
    while let line = try console.program.display.line(), !line.contains("\"seq\":120,") {
      lines += 1
    }
    #expect(lines < 100)
    while answers[120]?.count == 1 { note(try console.report()) }
    #expect(answers[120] == ["stalled", "presented"])
    try console.send(.bye)
    #expect(try console.exitCode() == 0)
  }

  @Test("The descriptor it is given is not switched to non-blocking for those who share it")
  func sharedDescriptor() throws {
    let ends = try pipeEnds()
    defer { for end in [ends.read, ends.write] { close(end) } }
    let console = try start(SpawnedSink.console(display: .descriptor(ends.write)))
    try console.send(.present(Sample.alert()))
    #expect(try console.report() == .presented(seq: 1))
    #expect(fcntl(ends.write, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test(
    "On a terminal the cursor is shown again however it ends",
    arguments: ["bye", "end of input", "term", "interrupt"]
  )
  func cursor(ending: String) throws {
    let terminal = try PseudoTerminal(columns: 60)
    let console = try start(
      SpawnedSink.console(display: .descriptor(terminal.slave), environment: ["TERM": "xterm"])
    )
    var countdown = Sample.countdown()
    let start = SystemSinkClock().now
    countdown.countdown?.fire = start + .seconds(600)
    try console.send(.present(countdown))
    let drawn = try terminal.screen.wait(for: "]\u{1B}[K\rTea  ")
    #expect(drawn.contains("\u{1B}[36mCOUNTING\u{1B}[0m until "))
    #expect(drawn.contains("\u{1B}[?25l\rTea  "))
    switch ending {
    case "bye": try console.send(.bye)
    case "end of input": console.program.close(0)
    case "term": console.signal(SIGTERM)
    default: console.signal(SIGINT)
    }
    _ = try terminal.screen.wait(for: "\r\u{1B}[K\u{1B}[?25h")
    #expect(try console.exitCode() == 0)
  }

  @Test("A dumb terminal gets plain lines, NO_COLOR a live line without colour")
  func plainTerminals() throws {
    for (environment, live) in [
      (["TERM": "dumb"], false), (["TERM": "xterm", "NO_COLOR": "1"], true),
    ] {
      let terminal = try PseudoTerminal(columns: 60)
      let console = try start(
        SpawnedSink.console(display: .descriptor(terminal.slave), environment: environment)
      )
      try console.send(.present(Sample.countdown(title: "Tea")))
      #expect(try console.report() == .presented(seq: 1))
      try console.send(.present(Sample.alert(seq: 2, 1)))
      let drawn = try terminal.screen.wait(for: "\u{7}")
      #expect(drawn.contains("\u{1B}[?25l") == live)
      #expect(!drawn.contains("\u{1B}[36m"))
      #expect(drawn.contains("COUNTING until 07:10:00 Tea"))
    }
  }

  @Test("A terminal that is gone is an output that cannot be written to")
  func terminalGone() throws {
    var terminal: PseudoTerminal? = try PseudoTerminal(columns: 60)
    let console = try start(
      SpawnedSink.console(display: terminal.map { .descriptor($0.slave) } ?? .closed)
    )
    terminal = nil
    try console.send(.present(Sample.alert()))
    _ = try console.log()
    #expect(try console.failure().reason.contains("Input/output error"))
  }

  @Test("A full disk fails the events of that time and no later ones")
  func fullDisk() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    let console = try start(SpawnedSink.console(display: .descriptor(full)))
    for seq: UInt64 in [1, 2] {
      try console.send(.present(Sample.alert(seq: seq, UInt32(seq))))
      let failed = try console.failure()
      #expect(failed.seq == seq)
      #expect(failed.reason == "the output cannot be written to: No space left on device")
    }
  }
}

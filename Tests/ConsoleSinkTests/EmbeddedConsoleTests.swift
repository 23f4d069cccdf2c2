import Glibc
import ProcessTesting
import SinkKit
import SinkTesting
import Testing

@testable import ConsoleSink

/// The console in the test's own process, on a clock that the test moves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EmbeddedConsoleTests {
  private func bench(
    _ output: CInt,
    _ settings: [String: String] = [:]
  ) throws -> ManualSinkHost<ConsoleSink> {
    let bench = try ManualSinkHost<ConsoleSink>(now: Sample.seven, settings: settings) {
      try ConsoleSink(settings: $0, host: $1, output: output, time: .utc)
    }
    _ = bench.takeReports()
    return bench
  }

  @Test("Nothing wakes it while it writes into a pipe")
  func pipe() throws {
    let ends = try pipeEnds()
    defer { for end in [ends.read, ends.write] { close(end) } }
    let bench = try bench(ends.write)
    bench.receive(.present(Sample.countdown(seq: 1, 1)))
    bench.receive(.present(Sample.alert(seq: 2, 2)))
    #expect(bench.takeReports() == [.presented(seq: 1), .presented(seq: 2)])
    #expect(bench.nextWake == nil)
    bench.end()
    let bytes = try nextBytes(ends.read) ?? []
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        07:00:00  COUNTING until 07:10:00 Tea (10:00)
        07:00:00  ALARM     Wake up

        """
    )
  }

  @Test("On a terminal a countdown wakes it each second until it is over, and an alarm does not")
  func terminal() throws {
    // The environment decides about the live line, so it is asked for.
    let terminal = try PseudoTerminal(columns: 80)
    let bench = try bench(terminal.slave, ["bar": "yes", "color": "no", "bell": "no"])
    bench.receive(.present(Sample.alert(seq: 1, 1)))
    #expect(bench.nextWake == nil)
    bench.receive(.present(Sample.countdown(seq: 2, 2, total: 3.5)))
    #expect(bench.nextWake == .milliseconds(500))
    bench.advance(by: .milliseconds(600))
    #expect(bench.nextWake == .milliseconds(1_500))
    bench.advance(by: .seconds(60))
    #expect(bench.nextWake == nil)
    let drawn = try terminal.screen.wait(for: "Tea  0:00")
    bench.end()
    _ = try terminal.screen.wait(for: "\u{1B}[?25h")
    #expect(
      drawn.split(separator: "Tea  ").dropFirst().map { $0.prefix(4) } == [
        "0:04", "0:03", "0:02", "0:01", "0:00",
      ]
    )
  }

  @Test("The bell strikes every three seconds of an alert, and not for a silent alarm")
  func bell() throws {
    let terminal = try PseudoTerminal(columns: 80)
    let bench = try bench(terminal.slave, ["bar": "no", "color": "no"])
    bench.receive(.present(Sample.alert(seq: 1, 1, sound: "none")))
    #expect(bench.nextWake == nil)
    bench.receive(.present(Sample.alert(seq: 2, 2)))
    bench.advance(by: .seconds(7))
    bench.receive(.cleared(Sample.cleared(seq: 3, of: 2, .stopped)))
    #expect(bench.nextWake == nil)
    let drawn = try terminal.screen.wait(for: "STOPPED")
    #expect(drawn.filter { $0 == "\u{7}" }.count == 3)
  }

  @Test("An event that waits a second for a reader has failed for now, and is presented later")
  func patience() throws {
    let ends = try pipeEnds()
    defer { for end in [ends.read, ends.write] { close(end) } }
    let bench = try bench(ends.write, ["format": "json"])
    let title = String(repeating: "x", count: 15_000)
    for seq in 1...8 {
      bench.receive(.present(Sample.alert(seq: UInt64(seq), UInt32(seq), title: title)))
    }
    let written = bench.takeReports().count
    #expect(written < 8)
    bench.advance(by: .milliseconds(999))
    #expect(bench.takeReports().isEmpty)
    bench.advance(by: .milliseconds(1))
    let stalled = bench.takeReports()
    #expect(stalled.count == 8 - written)
    for case .failed(let failed) in stalled { #expect(failed.retry == true) }
    #expect(bench.nextWake == nil)
    var presented = 0
    while presented < stalled.count {
      _ = try nextBytes(ends.read)
      bench.tick()
      presented += bench.takeReports().count
    }
    #expect(presented == stalled.count)
  }

  @Test("After a sync it shows what is new; in JSON the list as it came")
  func sync() throws {
    for (format, expected) in [("text", 2), ("json", 3)] {
      let ends = try pipeEnds()
      defer { for end in [ends.read, ends.write] { close(end) } }
      let bench = try bench(ends.write, ["format": format])
      let alert = Sample.alert(seq: 1, 1)
      bench.receive(.present(alert))
      bench.receive(.sync([alert, Sample.alert(seq: 2, 2)]))
      bench.receive(.sync([]))
      let reports = bench.takeReports()
      #expect(reports == [.presented(seq: 1), .presented(seq: 1), .presented(seq: 2)])
      let bytes = try nextBytes(ends.read) ?? []
      #expect(bytes.filter { $0 == 0x0A }.count == expected)
    }
  }
}

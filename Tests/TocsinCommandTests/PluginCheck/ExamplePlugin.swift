import Glibc
import ProcessTesting
import TocsinModel
import TocsinTime

@testable import TocsinCommand

/// One of the plugins of contrib as a process, with the test in the router's place.
final class ExamplePlugin {
  let program: Program
  private(set) var lines = RouterLines(now: Instant(seconds: 1_800_000_000))

  /// Starts it and says hello; its first line has to be `ready`.
  init(_ words: [String], settings: [String: String]) throws {
    program = try Program(
      words,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"],
      input: .pipe,
      display: .pipe
    )
    try program.write(RouterLines.hello(sink: "example", settings: settings).bytes)
    guard case .ready = try report() else { throw Failure("it did not say ready") }
  }

  /// The path of an example.
  static func path(_ name: String) -> String { "\(CheckedPlugin.root)/contrib/plugins/\(name)" }

  /// Presents an occurrence; the number of the event.
  @discardableResult
  func present(
    _ number: UInt64,
    _ state: AlarmState = .alerting,
    title: String = "Tea"
  ) throws -> UInt64 {
    try program.write(lines.present(number, state, title: title).bytes)
    return lines.seq
  }

  /// Ends the presentation of an occurrence; the number of the event.
  @discardableResult
  func clear(_ number: UInt64) throws -> UInt64 {
    try program.write(lines.clear(number).bytes)
    return lines.seq
  }

  /// How answers name an occurrence.
  func name(_ number: UInt64) -> String { lines.occurrence(number).description }

  /// The next it says, beside what it says for the log.
  func report() throws -> SinkReport {
    while let line = try program.output.line() {
      let report = try JSONLine.decode(SinkReport.self, from: Array(line.utf8))
      if case .log = report { continue }
      return report
    }
    throw Failure("it says no more; its errors: \(try program.errors.rest())")
  }

  /// Says bye; its exit status.
  func end() throws -> Int32 {
    try program.write(RouterLines.bye.bytes)
    program.close(0)
    return try program.exitCode()
  }
}

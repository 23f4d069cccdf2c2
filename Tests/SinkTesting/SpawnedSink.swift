package import ProcessTesting
package import TocsinModel

/// A real sink's process, to which the test is the daemon.
package final class SpawnedSink {
  package let program: Program

  /// Starts a program from beside the tests, with nothing but `environment` in its environment.
  ///
  /// A pipe of the test is at each descriptor that is not said to be another; `display` is what it
  /// finds as descriptor 3.
  package init(
    _ name: String,
    environment: [String: String] = ["TZ": "UTC"],
    input: Program.Stream = .pipe,
    output: Program.Stream = .pipe,
    display: Program.Stream = .closed
  ) throws {
    program = try Program(
      [name],
      environment: environment,
      input: input,
      output: output,
      display: display
    )
  }

  package func send(_ messages: SinkMessage...) throws {
    for message in messages { try program.write(JSONLine.encode(message)) }
  }

  /// Greets it.
  package func hello(_ settings: [String: String] = [:], as sink: String) throws {
    try send(.hello(SinkMessage.Hello(sink: sink, settings: settings)))
  }

  /// The next report; nil at the end.
  package func report() throws -> SinkReport? {
    guard let line = try program.output.line() else { return nil }
    return try JSONLine.decode(SinkReport.self, from: Array(line.utf8))
  }

  /// The next report that is no line of the log; nil at the end.
  package func answer() throws -> SinkReport? {
    while let report = try report() {
      if case .log = report { continue }
      return report
    }
    return nil
  }

  /// The next report, which is to be a line of the log.
  package func log() throws -> SinkReport.Log {
    guard case .log(let log)? = try report() else { throw Failure("no line of the log") }
    return log
  }

  /// The next report, which is to be a failure.
  package func failure() throws -> SinkReport.Failed {
    guard case .failed(let failed)? = try report() else { throw Failure("no failure") }
    return failed
  }

  package func signal(_ number: Int32) { program.signal(number) }

  /// Waits for its end: its exit code, or the signal that ended it below zero.
  package func exitCode() throws -> Int32 { try program.exitCode() }
}

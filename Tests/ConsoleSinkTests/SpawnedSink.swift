import ProcessTesting
import SinkTesting

extension SpawnedSink {
  /// Starts the real tocsin-console, in UTC.
  static func console(
    input: Program.Stream = .pipe,
    output: Program.Stream = .pipe,
    display: Program.Stream = .pipe,
    environment: [String: String] = [:]
  ) throws -> SpawnedSink {
    try SpawnedSink(
      "tocsin-console",
      environment: environment.merging(["TZ": "UTC"]) { $1 },
      input: input,
      output: output,
      display: display
    )
  }
}

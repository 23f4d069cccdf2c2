import ProcessTesting
import SinkTesting
import TocsinModel

extension SpawnedSink {
  /// Says hello and waits for `ready`.
  func start(_ settings: [String: String]) throws -> SinkReport.Ready {
    try hello(settings, as: "speaker")
    try send(.sync([]))
    guard case .ready(let ready)? = try answer() else { throw Failure("it is not ready") }
    return ready
  }

  /// Ends it with a signal and gives its exit code, or the signal below zero.
  func end(_ signal: Int32) throws -> Int32 {
    self.signal(signal)
    return try exitCode()
  }
}

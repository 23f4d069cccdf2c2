import ProcessTesting
import SinkKit
import SinkTesting

extension SpawnedSink {
  /// Starts the real tocsin-desktop and takes its `ready`.
  static func desktop(
    _ environment: [String: String],
    _ settings: [String: String] = [:]
  ) throws -> SpawnedSink {
    let desktop = try SpawnedSink("tocsin-desktop", environment: environment)
    try desktop.hello(settings, as: "popup")
    guard case .ready = try desktop.answer() else { throw Failure("it is not ready") }
    return desktop
  }

  /// The next report that is no line of the log, which is to be a failure that is tried again.
  func failureForNow() throws -> SinkReport.Failed {
    guard case .failed(let failed)? = try answer(), failed.retry == true else {
      throw Failure("no failure")
    }
    return failed
  }
}

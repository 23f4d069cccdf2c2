import SinkKit

/// The real tocsin-desktop as a plugin of the test.
final class SpawnedDesktop {
  let process: ChildProcess

  /// Starts it and takes its `ready`.
  init(_ environment: [String: String], _ settings: [String: String] = [:]) throws {
    process = try ChildProcess(["tocsin-desktop"], environment)
    let hello = #"{"type":"hello","protocol":1,"sink":"popup","settings":{"#
    let keys = settings.map { #""\#($0.key)":"\#($0.value)""# }.joined(separator: ",")
    try process.send(line: hello + keys + "}}")
    guard case .ready = try report() else {
      throw ChildProcess.Failure(description: "it is not ready")
    }
  }

  func send(_ messages: SinkMessage...) throws {
    for message in messages { try process.send(JSONLine.encode(message)) }
  }

  /// The next report that is no line for the log.
  func report() throws -> SinkReport? {
    while let line = try process.line() {
      let report = try JSONLine.decode(SinkReport.self, from: Array(line.utf8))
      if case .log = report { continue }
      return report
    }
    return nil
  }

  /// The next report, which is to be a failure that is tried again.
  func failure() throws -> SinkReport.Failed {
    guard case .failed(let failed)? = try report(), failed.retry == true else {
      throw ChildProcess.Failure(description: "no failure")
    }
    return failed
  }
}

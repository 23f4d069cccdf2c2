import TocsinModel

/// One run of a program for one event.
final class HookRun {
  private var process: PluginProcess?
  private let log: (LogLevel, String) -> Void
  private let onExit: (String?) -> Void
  private var lines = 0
  private var lastError = ""

  /// How much of its output is logged: lines of a run, and characters of a line.
  private static let lineLimit = 20
  private static let lengthLimit = 1000
  /// The most characters of its last word.
  private static let reasonLimit = 300

  /// Starts the program and gives it the event to read.
  ///
  /// `onExit` is told why it failed, or nil if it did not. Both closures are called from descriptors.
  ///
  /// - Throws: why it cannot be started.
  init(
    _ command: [String],
    _ job: HookState.Job,
    _ settings: PluginSettings,
    _ surroundings: PluginSurroundings,
    log: @escaping (LogLevel, String) -> Void,
    onExit: @escaping (String?) -> Void
  ) throws {
    self.log = log
    self.onExit = onExit
    let process = try surroundings.start(
      command,
      of: settings,
      own: job.variables,
      callbacks: PluginProcess.Callbacks(
        onLine: { [weak self] in
          self?.read($0)
          return false
        },
        onLog: { [weak self] in self?.readError($0) },
        // It need not read, and may close what it does not need.
        onPipeClosed: {},
        onCaughtUp: {},
        onExit: { [weak self] in self?.ended($0) }
      )
    )
    self.process = process
    process.send(job.line, .control)
    process.closeInputWhenDrained()
  }

  var pid: Int32? { process?.pid }

  /// Sends a signal to it and to all it has started.
  func signalGroup(_ signal: Int32) { process?.signalGroup(signal) }

  /// Looks whether it has ended; for kernels without pidfds.
  func reapIfEnded() { process?.reapIfEnded() }

  private func read(_ item: LineReader.Item) {
    lines += 1
    if lines == Self.lineLimit + 1 { log(.info, "and more, which is left out") }
    guard lines <= Self.lineLimit, case .line(let bytes) = item else { return }
    log(.info, String(String(decoding: bytes, as: UTF8.self).prefix(Self.lengthLimit)))
  }

  private func readError(_ line: String) {
    // What stands behind the last carriage return is what a terminal would show.
    let text = line.split(separator: "\r").last.map { $0.trimmed } ?? ""
    guard !text.isEmpty else { return }
    lastError = String(text.prefix(Self.reasonLimit))
    log(.debug, lastError)
  }

  private func ended(_ exit: ChildExit) {
    process = nil
    guard exit != .status(0) else { return onExit(nil) }
    onExit(lastError.isEmpty ? "\(exit)" : "\(exit): \(lastError)")
  }
}

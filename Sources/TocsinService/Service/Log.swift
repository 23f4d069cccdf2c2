import Glibc

/// Lines for whoever runs the daemon, on standard error; with priorities where the journal reads them.
///
/// Titles of alarms are private and do not stand in them. Source: sd-daemon(3).
package struct Log: Sendable {
  private let least: LogLevel
  private let write: @Sendable (LogLevel, String) -> Void

  /// Writes to standard error, with `<N>` before each line if the journal is at its other end.
  package init(environment: [String: String], least: LogLevel = .info) {
    let prefixes = environment["JOURNAL_STREAM"] != nil
    self.init(least: least) { level, text in
      let start = prefixes ? "<\(level.priority)>" : "tocsin: "
      let line = Array((start + text + "\n").utf8)
      // What cannot be written now is dropped: no log may hold an alarm up.
      _ = Glibc.write(2, line, line.count)
    }
  }

  /// Hands lines to a closure, from whichever thread writes them.
  package init(least: LogLevel = .debug, write: @escaping @Sendable (LogLevel, String) -> Void) {
    self.least = least
    self.write = write
  }

  package func callAsFunction(_ level: LogLevel, _ text: String) {
    if level.priority <= least.priority { write(level, text) }
  }
}

import Glibc
import TocsinModel

/// Lines for whoever runs the daemon, on standard error; with priorities where the journal reads them.
///
/// Titles of alarms are private and do not stand in them. Source: sd-daemon(3).
package struct Log: Sendable {
  private let least: LogLevel
  private let write: @Sendable (LogLevel, String) -> Void

  /// Writes to standard error, with `<N>` before each line if the journal is at its other end.
  ///
  /// - Parameters:
  ///   - environment: JOURNAL_STREAM is looked at.
  ///   - least: what is less important is left out.
  ///   - descriptor: where to write instead.
  ///   - overLiveLine: whether it is a terminal on which this process keeps a live line, so that each
  ///     line has to take that one's place.
  package init(
    environment: [String: String],
    least: LogLevel = .info,
    descriptor: Int32 = STDERR_FILENO,
    overLiveLine: Bool = false
  ) {
    let prefixes = environment["JOURNAL_STREAM"] != nil
    self.init(least: least) { level, text in
      let clear = overLiveLine ? "\r\u{1B}[K" : ""
      let start = clear + (prefixes ? "<\(level.priority)>" : "tocsin: ")
      // Each line of a text is a line of this level; a sink cannot write one of another.
      for line in text.split(whereSeparator: \.isNewline) {
        Self.put(start + line.printable + "\n", to: descriptor)
      }
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

  /// What cannot be written now is dropped: no log may hold an alarm up.
  private static func put(_ line: String, to descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&entry, 1, 0) == 1 else { return }
    // A pipe that is ready takes this much without waiting, and in one piece.
    var bytes = Array(line.utf8)
    if bytes.count > Int(PIPE_BUF) {
      bytes = bytes.prefix(Int(PIPE_BUF) - 1) + [UInt8(ascii: "\n")]
    }
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}

import ConsoleSink
import Glibc
import SinkKit
import TocsinModel

/// Shows what is presented on the terminal while it lasts: the console sink, in this process.
final class LivePresentation {
  private let host: EmbeddedSinkHost<ConsoleSink>?
  private let colors: Bool

  /// Begins with an empty picture.
  ///
  /// - Parameters:
  ///   - session: whose output is drawn on.
  ///   - report: takes receipts, for the daemon to know that somebody was shown an alert.
  init(_ session: Session, report: @escaping (SinkReport) -> Void) {
    colors = session.colors
    let color = colors ? "yes" : "no"
    host = try? EmbeddedSinkHost(
      name: "tocsin",
      settings: ["format": "text", "color": color],
      make: { try ConsoleSink(settings: $0, host: $1, output: session.output) },
      report: report
    )
  }

  /// Takes in an event.
  func show(_ message: SinkMessage) { host?.receive(message) }

  /// Draws what changed with time; to be called when `poll` returns.
  func tick() { host?.tick() }

  /// Writes a line of the command's own without disturbing the picture.
  func note(_ line: String) { host?.sink.note(line.printable) }

  /// Writes a line of which one word stands out.
  func note(_ before: String, _ word: String, _ style: Style, _ after: String) {
    let word = style.applied(to: word.printable, colors: colors)
    host?.sink.note(before.printable + word + after.printable)
  }

  /// Takes the live line away before the process is halted.
  func rest() { host?.sink.rest() }

  /// How long poll(2) may wait, -1 for as long as nothing happens.
  var timeoutMilliseconds: Int32 { host?.timeoutMilliseconds() ?? -1 }

  /// Adds what it waits for to a list for poll(2).
  func appendDescriptors(to entries: inout [pollfd]) {
    host?.appendDescriptors(to: &entries)
  }

  /// Takes the live line away and puts the terminal back as it was.
  func end() { host?.end() }
}

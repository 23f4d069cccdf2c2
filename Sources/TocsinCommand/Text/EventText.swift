import TocsinModel
import TocsinTime

/// Events in one line each.
enum EventText {
  /// A title, or what stands for none.
  static func title(_ title: String, kind: AlarmKind? = nil) -> String {
    if !title.isEmpty { return title.printable }
    return kind == .timer ? "Timer" : "Alarm"
  }

  /// The sink that a receipt is about, with the parts that were asked: `bedside.led, bedside.buzzer`.
  static func sink(_ receipt: AlertReceipt) -> String {
    guard let parts = receipt.parts else { return receipt.sink }
    return parts.map { "\(SinkTarget(sink: receipt.sink, part: $0))" }.joined(separator: ", ")
  }

  /// What became of an alert at a sink: `presented 07:00:01, audible`.
  static func result(_ receipt: AlertReceipt, zone: Zone, now: Instant) -> String {
    let word =
      switch receipt.result {
      case .pending: "not confirmed yet"
      case .presented: "presented"
      case .failed: "failed"
      case .timedOut: "no answer in time"
      }
    let time = receipt.at.map { " \(Wording.exactTime($0, in: zone))" } ?? ""
    let audible = receipt.audible ? ", audible" : ""
    return word + time + audible + (receipt.detail.map { ": \($0.printable)" } ?? "")
  }

  /// The line of `watch` for what a person should know, or what became of an alert; nil for events
  /// that have lines of their own.
  ///
  /// - Parameters:
  ///   - message: an event.
  ///   - titles: the alarms that were seen, by their identity.
  ///   - time: the time it came, as other lines begin.
  /// - Returns: the line in three pieces, of which the middle one stands out.
  static func line(
    _ message: SinkMessage,
    titles: [AlarmID: String],
    time: String
  ) -> (before: String, word: String, style: Style, after: String)? {
    switch message {
    case .notice(let notice):
      let (word, style): (String, Style) =
        switch notice.level {
        case .critical: ("CRITICAL", .red)
        case .warning: ("WARNING", .yellow)
        case .info: ("NOTICE", .plain)
        }
      return (time, word, style, notice.text.printable)
    case .receipt(let event):
      let receipt = event.receipt
      let (word, style): (String, Style) =
        switch receipt.result {
        case .pending: ("ASKED", .dim)
        case .presented: ("PRESENTED", .dim)
        case .failed: ("FAILED", .red)
        case .timedOut: ("TIMED OUT", .red)
        }
      let title = EventText.title(titles[event.alarm] ?? "")
      let detail = receipt.detail.map { ": \($0.printable)" } ?? ""
      return (time, word, style, "\(title) by \(sink(receipt).printable)\(detail)")
    case .hello, .sync, .present, .cleared, .missed, .secondary, .ping, .bye, .unknown:
      return nil
    }
  }
}

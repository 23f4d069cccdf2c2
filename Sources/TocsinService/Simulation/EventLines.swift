package import TocsinEngine
package import TocsinModel
package import TocsinTime

/// The events of a timeline as JSON lines: the objects that sinks read, with the time in `at` besides.
///
/// A year of many alarms is some hundred thousand lines, so they are written straight into bytes; a test
/// holds each to what `JSONLine` makes of the same event.
package struct EventLines {
  /// The lines so far; whoever sends them empties it.
  package var bytes: [UInt8] = []
  private var isFirst = true

  package init() {}

  /// Adds a line if the effect is one that somebody hears of.
  package mutating func put(_ effect: Effect, at: Instant) {
    switch effect {
    case .present(let presentation): put(presentation, at)
    case .clear(let cleared): put(cleared, at)
    case .miss(let missed): put(missed, at)
    case .secondary(let secondary): put(secondary, at)
    case .reject(let error): put(error, at)
    case .save, .delete, .record, .accept: break
    }
  }

  /// Adds a line about a command that was refused.
  package mutating func put(_ error: ServiceError, _ at: Instant) {
    begin()
    member("at", at)
    member("code", error.code.rawValue)
    member("message", error.message)
    member("type", "rejected")
    end()
  }

  private mutating func put(_ event: Presentation, _ at: Instant) {
    let options = event.options
    begin()
    member("alarm", event.alarm)
    member("at", at)
    member("autoSnooze", options.autoSnooze)
    member("buttons", event.buttons)
    member("countdown", event.countdown)
    member("due", event.due)
    member("fade", options.fade)
    member("fired", event.fired)
    member("kind", event.kind.rawValue)
    member(encoded: "labels", options.labels)
    member("late", event.late)
    member(encoded: "metadata", options.metadata)
    member("occurrence", event.occurrence)
    member("priority", options.priority)
    member("resumed", event.resumed)
    member("ringFor", options.ringFor)
    member("seq", Int(clamping: event.seq))
    member("snoozeLimit", options.snoozeLimit)
    member("snoozes", event.snoozes)
    member("sound", options.sound)
    member("state", event.state.rawValue)
    member("tint", options.tint)
    member("title", event.title)
    member("type", event.type)
    member("volume", options.volume)
    end()
  }

  private mutating func put(_ event: SinkMessage.Cleared, _ at: Instant) {
    begin()
    member("alarm", event.alarm)
    member("at", at)
    member("occurrence", event.occurrence)
    member("reason", event.reason.rawValue)
    member("seq", Int(clamping: event.seq))
    member("source", event.source)
    member("title", event.title)
    member("type", "cleared")
    end()
  }

  private mutating func put(_ event: SinkMessage.Missed, _ at: Instant) {
    begin()
    member("alarm", event.alarm)
    member("at", at)
    member("due", event.due)
    member("occurrence", event.occurrence)
    member("reason", event.reason.rawValue)
    member("seq", Int(clamping: event.seq))
    member("title", event.title)
    member("type", "missed")
    end()
  }

  private mutating func put(_ event: SinkMessage.Secondary, _ at: Instant) {
    begin()
    member("alarm", event.alarm)
    member("at", at)
    member("occurrence", event.occurrence)
    member("seq", Int(clamping: event.seq))
    member("source", event.source)
    member("type", "secondary")
    end()
  }

  // MARK: - Members, in the order of their keys

  private mutating func begin() {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
  }

  private mutating func close() {
    bytes.append(UInt8(ascii: "}"))
    isFirst = false
  }

  private mutating func end() {
    close()
    bytes.append(UInt8(ascii: "\n"))
  }

  private mutating func key(_ key: StaticString) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    key(name)
    append(value)
  }

  private mutating func member(_ name: StaticString, _ value: Instant?) {
    guard let value else { return }
    key(name)
    append(value.rfc3339)
  }

  private mutating func member(_ name: StaticString, _ value: AlarmID) {
    key(name)
    append(value.description)
  }

  private mutating func member(_ name: StaticString, _ value: OccurrenceID) {
    key(name)
    append(value.description)
  }

  private mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    key(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  private mutating func member(_ name: StaticString, _ value: Double?) {
    guard let value else { return }
    key(name)
    if let whole = Int(exactly: value) {
      bytes.append(contentsOf: String(whole).utf8)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
  }

  private mutating func member(_ name: StaticString, _ value: Bool?) {
    guard let value else { return }
    key(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  private mutating func member(_ name: StaticString, _ countdown: Presentation.Countdown?) {
    guard let countdown else { return }
    key(name)
    begin()
    member("elapsed", countdown.elapsed)
    member("fire", countdown.fire)
    member("snooze", countdown.snooze)
    member("start", countdown.start)
    member("total", countdown.total)
    close()
  }

  private mutating func member(_ name: StaticString, _ buttons: [AlarmButton]) {
    key(name)
    bytes.append(UInt8(ascii: "["))
    for (index, button) in buttons.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      begin()
      member("behavior", button.behavior?.rawValue)
      member("color", button.color)
      member("role", button.role.rawValue)
      member("symbol", button.symbol)
      member("text", button.text)
      close()
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// What few alarms have.
  private mutating func member(encoded name: StaticString, _ value: (some Encodable)?) {
    guard let value, let line = try? JSONLine.encode(value) else { return }
    key(name)
    bytes.append(contentsOf: line.dropLast())
  }

  // MARK: - Texts

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { quote($0) }
  }

  private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    if text.contains(where: Self.needsEscape) {
      for byte in text { appendEscaped(byte) }
    } else {
      bytes.append(contentsOf: text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard Self.needsEscape(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case ..<0x20:
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: String(byte, radix: 16).utf8)
    default: bytes.append(byte)
    }
  }
}

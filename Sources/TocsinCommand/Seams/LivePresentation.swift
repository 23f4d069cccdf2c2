import TocsinModel
import TocsinTime

/// Shows what is presented on standard output while it lasts, and tells how it ended.
struct LivePresentation {
  private var shown: [Presentation] = []
  private var lastLine = ""
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Takes in an event.
  mutating func show(_ message: SinkMessage) {
    switch message {
    case .sync(let presentations): shown = presentations
    case .present(let presentation):
      shown.removeAll { $0.alarm == presentation.alarm }
      shown.append(presentation)
    case .cleared(let cleared):
      shown.removeAll { $0.alarm == cleared.alarm }
      tell(message)
    case .missed: tell(message)
    case .hello, .secondary, .ping, .bye, .unknown: break
    }
    draw()
  }

  /// Draws what changed with time; call it at `nextTick`.
  mutating func tick() {
    if session.outputIsTerminal { draw() }
  }

  /// When the picture changes by itself, in seconds from now; nil if it does not.
  var nextTick: Double? {
    guard session.outputIsTerminal else { return nil }
    let now = session.now()
    let fires = shown.compactMap { $0.countdown?.fire }.filter { $0 > now }
    guard let first = fires.min() else { return nil }
    let left = (first - now).seconds
    return left - left.rounded(.down) + 0.001
  }

  /// Takes the live line away, so that other text can be printed; the next tick draws it again.
  mutating func clear() {
    if session.outputIsTerminal, !lastLine.isEmpty { session.write("\r\u{1b}[K") }
    lastLine = ""
  }

  /// Leaves the terminal as it was found.
  mutating func end() { clear() }

  private mutating func tell(_ message: SinkMessage) {
    guard let zone = try? session.time.zone(),
      let line = EventText.line(message, zone: zone, session: session)
    else { return }
    clear()
    session.say(line)
  }

  private mutating func draw() {
    let line = shown.map { EventText.presentation($0, session: session) }.joined(separator: "  ")
    guard line != lastLine else { return }
    if session.outputIsTerminal {
      session.write("\r\u{1b}[K" + line.prefix(max(10, session.width - 1)))
    } else if !line.isEmpty {
      session.say(line)
    }
    lastLine = line
  }
}

import Glibc
import SinkKit
import TocsinClient
import TocsinModel
import TocsinTime

/// Shows the alarms until each has ended once, and lets keys answer them.
///
/// - Parameters:
///   - alarms: those whose end is waited for.
///   - connection: has subscribed already.
///   - hosts: whether the service is in this process.
///   - session: where it is shown.
/// - Returns: 0 stopped, 3 cancelled, 4 missed, 130 left by Ctrl-C or `q`, 143 by SIGTERM.
/// - Throws: `unavailable` if the daemon goes away.
func follow(
  _ alarms: Set<AlarmID>,
  over connection: Connection,
  hosts: Bool,
  session: Session
) throws(CommandFailure) -> ExitCode {
  var loop = FollowLoop(
    state: FollowState(alarms, hosts: hosts),
    connection: connection,
    session: session
  )
  return try loop.run()
}

/// `tocsin watch`: what happens, as it happens, until it is interrupted.
func runWatch(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let connection = try session.connect()
  try connection.ask(.subscribe)
  var loop = FollowLoop(state: .watching, connection: connection, session: session)
  return try loop.run()
}

private struct FollowLoop {
  var state: FollowState
  let connection: Connection
  let session: Session
  let live: LivePresentation
  var keys = KeyReader()
  var titles: [AlarmID: String] = [:]

  init(state: FollowState, connection: Connection, session: Session) {
    self.state = state
    self.connection = connection
    self.session = session
    let presents = !state.onlyWatches && !session.json
    live = LivePresentation(session) { report in
      // Whoever sees the alert here is a sink like any other; a daemon that is gone needs no receipt.
      if presents { try? connection.report(report) }
    }
  }

  mutating func run() throws(CommandFailure) -> ExitCode {
    let signals = Signals(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT],
      ignoring: [SIGTTIN, SIGTTOU]
    )
    defer { signals?.end() }
    if session.inputIsTerminal { keys.begin() }
    defer {
      live.end()
      keys.end()
    }
    if keys.isReading, !session.json, !state.onlyWatches {
      session.complain("Enter stops, s snoozes, p pauses, q leaves\n")
    }
    while true {
      if try takeEvents() { return state.exit }
      wait(signals)
      for number in signals?.pending() ?? [] {
        if let code = try act(onSignal: number) { return code }
      }
      if keys.isReading, isReadable(STDIN_FILENO) {
        for key in keys.keys() {
          if let code = try press(key) { return code }
        }
      }
      if !session.json { live.tick() }
    }
  }

  /// Takes what has arrived; true once nothing is left to follow.
  private mutating func takeEvents() throws(CommandFailure) -> Bool {
    while true {
      let incoming: Incoming?
      do {
        incoming = try connection.receive()
      } catch {
        live.rest()
        throw CommandFailure(error)
      }
      switch incoming {
      case nil: return false
      case .event(.bye):
        live.rest()
        throw CommandFailure(.unavailable, "lost", "the daemon at \(connection.path) ends")
      case .event(let message):
        if case .present(let shown) = message { titles[shown.alarm] = shown.title }
        if session.json {
          if Self.isNews(message) { try session.print(document: message) }
        } else {
          show(message)
        }
        if state.handle(message) { return true }
      case .reply(.error(_, let error)) where error.code != .stale:
        live.note("tocsin: \(error.message)")
      case .reply, .application:
        break
      }
    }
  }

  /// Receipts are news to whoever watches, and none to whoever waits for one alarm.
  private func show(_ message: SinkMessage) {
    if case .receipt = message, !state.onlyWatches { return }
    let time = Wording.exactTime(session.now(), in: session.zoneOrUTC)
    guard let line = EventText.line(message, titles: titles, time: time) else {
      return live.show(message)
    }
    let gap = String(repeating: " ", count: max(0, 9 - line.word.count))
    live.note(line.before + "  ", line.word, line.style, gap + " " + line.after)
  }

  private static func isNews(_ message: SinkMessage) -> Bool {
    switch message {
    case .hello, .ping, .bye, .unknown: false
    case .sync, .present, .cleared, .missed, .secondary, .notice, .receipt: true
    }
  }

  private func wait(_ signals: Signals?) {
    var entries = [
      pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: keys.isReading ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    live.appendDescriptors(to: &entries)
    _ = poll(&entries, nfds_t(entries.count), session.json ? -1 : live.timeoutMilliseconds)
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  private mutating func act(onSignal number: Int32) throws(CommandFailure) -> ExitCode? {
    switch number {
    case SIGINT: return try press(.quit)
    case SIGTERM, SIGHUP, SIGQUIT:
      leave()
      return .terminated
    case SIGTSTP:
      live.rest()
      keys.end()
      if state.hosts { session.warn("stopped: nothing rings until it goes on; use fg or bg") }
      raise(SIGSTOP)
      return nil
    case SIGCONT:
      // In the background again or in the foreground: begin() looks.
      keys.end()
      if session.inputIsTerminal { keys.begin() }
      return nil
    default:
      return nil
    }
  }

  private mutating func press(_ key: Key) throws(CommandFailure) -> ExitCode? {
    switch state.answer(to: key) {
    case .intents(let intents):
      for intent in intents { try send(intent) }
    case .hint(let text):
      live.note(text)
    case .quit(let intents):
      // Answered before leaving: the service ends with this process.
      for intent in intents { _ = try? connection.request(.intent(intent)) }
      leave()
      return .interrupted
    }
    return nil
  }

  private func send(_ intent: Intent) throws(CommandFailure) {
    do {
      try connection.send(.intent(intent))
    } catch {
      throw CommandFailure(error)
    }
  }

  private mutating func leave() {
    live.rest()
    for line in state.farewell(titles: titles, zone: session.zoneOrUTC, now: session.now()) {
      session.complain("tocsin: \(line)\n")
    }
  }
}

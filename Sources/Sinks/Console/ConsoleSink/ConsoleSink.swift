import Glibc
public import SinkKit

/// Shows alarms on a terminal, or writes them into a file or pipe, as text or JSON lines.
///
/// As a plugin it writes to descriptor 3, the daemon's standard output, since its own is the
/// protocol; without one, to standard error. Nobody reading there delays nothing: what does not fit
/// into a bounded buffer is dropped, oldest first, and reported as failed.
public final class ConsoleSink: Sink {
  /// The host given to `init`.
  public let host: SinkHost
  /// A terminal is seen, and its bell is no alarm clock.
  public let descriptor = SinkDescriptor(
    name: "tocsin-console",
    version: Version.text,
    capabilities: [.visual],
    audible: false
  )

  private static let daemonOutput: CInt = 3
  /// For how long an event may wait to be written before it counts as failed for now.
  private static let patience = Duration.seconds(1)
  /// Bytes kept while nobody reads.
  private static let bufferLimit = 256 * 1024

  private let settings: ConsoleSettings
  private let given: CInt
  private let terminal: ConsoleTerminal
  private let output: NonblockingOutput
  private var screen: ConsoleScreen
  private var queue = OutputQueue(limit: ConsoleSink.bufferLimit)
  /// Why nothing can be written any more.
  private var closed: String?
  private var writable: SinkHost.Token?
  private var refresh: SinkHost.Token?
  private var stall: SinkHost.Token?
  /// Events that were reported as failed for now.
  private var stalled: Set<UInt64> = []

  /// Writes to descriptor 3 if it is open, else to standard error.
  public convenience init(settings: SinkSettings, host: SinkHost) throws {
    let hasOutput = Self.isInherited(Self.daemonOutput)
    let output = hasOutput ? Self.daemonOutput : STDERR_FILENO
    try self.init(settings: settings, host: host, output: output)
    if !hasOutput {
      host.log(.info, "descriptor 3 is not open for writing, so events go to standard error")
    }
  }

  /// Writes to a descriptor, which stays the caller's and is not changed.
  ///
  /// Times are shown in the machine's zone if `time` is left out.
  package init(
    settings: SinkSettings,
    host: SinkHost,
    output: CInt,
    time: LocalTimeText = .machine
  ) throws {
    self.host = host
    self.settings = ConsoleSettings(settings)
    try settings.finish()
    given = output
    terminal = ConsoleTerminal(descriptor: output)
    self.output = NonblockingOutput(output)
    screen = ConsoleScreen(look: self.settings.look(on: terminal), time: time)
  }

  // MARK: Sink

  /// Writes the alarm's line.
  public func present(_ presentation: Presentation) {
    show(.present(presentation), as: .present(presentation), seq: presentation.seq)
  }

  /// Writes what ended it; what goes on at other sinks just goes.
  public func clear(_ withdrawal: Withdrawal) {
    let message: SinkMessage? =
      if let seq = withdrawal.seq, let reason = withdrawal.reason {
        .cleared(
          SinkMessage.Cleared(
            seq: seq,
            occurrence: withdrawal.occurrence,
            title: withdrawal.title,
            reason: reason,
            source: withdrawal.source
          )
        )
      } else { nil }
    show(.clear(withdrawal), as: message, seq: withdrawal.seq)
  }

  /// Writes which alarm was missed.
  public func missed(_ missed: SinkMessage.Missed) {
    show(.missed(missed), as: .missed(missed), seq: missed.seq)
  }

  /// Writes what a person should know.
  public func notice(_ notice: SinkMessage.Notice) {
    show(.notice(notice), as: .notice(notice), seq: notice.seq)
  }

  /// Writes the event as it came, where events are written so.
  public func secondary(_ secondary: SinkMessage.Secondary) {
    if settings.format == .json { write(json: .secondary(secondary), events: []) }
  }

  /// In JSON, writes the list as it came; in text, a line for each difference.
  public func sync(_ presentations: [Presentation], replacing shown: [Presentation]) {
    if settings.format == .json {
      write(json: .sync(presentations), events: presentations.map(\.seq))
    } else {
      showDifference(presentations, replacing: shown)
    }
  }

  /// Shows the cursor again; waits a fifth of a second at most for a slow reader.
  public func end() {
    write(screen.close(), events: [])
    var rounds = 0
    while !queue.isEmpty, rounds < 4 {
      var wanted = pollfd(fd: output.descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&wanted, 1, 50)
      pump()
      rounds += 1
    }
  }

  // MARK: For the program it is in

  /// Writes a line of the program's own between the events; it must be harmless to a terminal.
  package func note(_ line: String) {
    write(screen.note(line, at: host.moment, columns: columns), events: [])
    scheduleRefresh()
  }

  /// Takes the live line away, for as long as the program does not go on.
  package func rest() {
    write(screen.close(), events: [])
  }

  // MARK: Writing

  private func show(_ event: ConsoleEvent, as message: SinkMessage?, seq: UInt64?) {
    let events = seq.map { [$0] } ?? []
    if settings.format == .json {
      if let message { write(json: message, events: events) }
    } else {
      write(screen.show(event, at: host.moment, columns: columns), events: events)
      scheduleRefresh()
    }
  }

  private func write(json message: SinkMessage, events: [UInt64]) {
    guard let line = try? JSONLine.encode(message) else {
      for seq in events { host.failed(seq, "the event has a number that JSON cannot write") }
      return
    }
    write(line, events: events)
  }

  private func write(_ text: String, events: [UInt64]) { write(Array(text.utf8), events: events) }

  private func write(_ bytes: [UInt8], events: [UInt64]) {
    if let closed {
      for seq in events { host.failed(seq, closed) }
      return
    }
    guard !bytes.isEmpty else {
      for seq in events { host.presented(seq) }
      return
    }
    for seq in queue.append(OutputQueue.Chunk(bytes: bytes, events: events)) {
      stalled.remove(seq)
      host.failed(seq, "nobody reads the output, and its buffer is full")
    }
    pump()
  }

  /// Writes what there is room for and sees to it that the rest follows.
  private func pump() {
    while let front = queue.front {
      switch output.write(front) {
      case .wrote(let count):
        for seq in queue.removeFirst(count) {
          stalled.remove(seq)
          host.presented(seq)
        }
      case .full:
        return waitForRoom()
      case .closed(let code):
        let reason = "the output cannot be written to: \(String(cString: strerror(code)))"
        guard code == ENOSPC || code == EDQUOT else { return close(reason) }
        // Somebody may make room on the disk; these lines are lost, the next may not be.
        for seq in queue.removeAll() { host.failed(seq, reason) }
      }
    }
    host.cancel(&writable)
    host.cancel(&stall)
    tellDropped()
  }

  private func waitForRoom() {
    if writable == nil {
      writable = host.watch(output.descriptor, for: .writable) { [unowned self] _ in
        pump()
        scheduleRefresh()
      }
    }
    if stall == nil, !Set(queue.events).isSubset(of: stalled) {
      stall = host.wake(after: Self.patience) { [unowned self] in
        stall = nil
        for seq in queue.events where stalled.insert(seq).inserted {
          host.failed(seq, "nobody reads the output", retry: true)
        }
      }
    }
  }

  private func tellDropped() {
    let count = queue.takeDropped()
    guard count > 0 else { return }
    let text = "\(count) lines were dropped, as nobody read them"
    host.log(.warning, text)
    if settings.format == .text { write("(\(text))\n", events: []) }
  }

  /// Stays quiet from now on; each event is answered with the reason.
  private func close(_ reason: String) {
    closed = reason
    host.log(.error, reason)
    for seq in queue.removeAll() { host.failed(seq, reason) }
    host.cancel(&writable)
    host.cancel(&refresh)
    host.cancel(&stall)
  }

  // MARK: The live line

  private var columns: Int? {
    terminal.isTerminal ? ConsoleTerminal.columns(of: given) : nil
  }

  /// One timer, and only while something on the screen moves and can be written.
  private func scheduleRefresh() {
    host.cancel(&refresh)
    guard closed == nil, queue.isEmpty,
      let next = screen.nextRefresh(after: host.elapsed)
    else { return }
    refresh = host.wake(at: next) { [unowned self] in
      refresh = nil
      write(screen.refresh(at: host.moment, columns: columns), events: [])
      scheduleRefresh()
    }
  }

  /// Whether a descriptor was open for writing when the program began: our own are close-on-exec.
  private static func isInherited(_ descriptor: CInt) -> Bool {
    let flags = fcntl(descriptor, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0 else { return false }
    return fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY
  }
}

import CLinux
import Glibc
import TocsinModel
import TocsinTime

/// One connection to the daemon: its lines in, its lines out, and the limits that keep it harmless.
///
/// On the reactor's thread only.
final class ControlClient: @unchecked Sendable {
  // Unchecked is safe because it is made, called and released on the reactor's thread alone, which is
  // also the executor of the actor it is handed to.

  let id: UInt64
  let peer: Peer
  /// The name history and sinks know it by.
  let name: String
  /// The program it speaks for, if it has joined as one.
  var membership: Join?
  /// What that program was last told of whether it may set alarms.
  var access: Access?
  /// Whether it wants events.
  var isSubscribed = false
  /// What it said of itself, if it presents.
  var ready: SinkReport.Ready?
  /// What of the first `sync` is still to be sent, if it did not fit into one line.
  var backlog: SyncBacklog?
  /// Its program's alarms whose changes it is still to be told of, if they were too many at once.
  var changes: ChangeBacklog?

  private let limits: ControlLimits
  private let reactor: Reactor
  private let socket: Descriptor
  private var input = RequestBuffer()
  private var output = ClientOutput()
  private var openRequests = 0
  /// Whether lines may have been read that were not handled yet.
  private var hasBacklog = false
  private var isTurnDue = false
  /// Whether the other end will send no more; it may still read.
  private var hasEnded = false
  /// Whether the other end will read no more.
  private var isDeaf = false
  /// Whether the other end is closed; what it sent before is still handled.
  private var isGone = false
  private var isInTurn = false
  private var isClosing = false
  private var interest: Events = .readable
  private var lineTimer: TimerToken?
  private var isNewLine = false
  private let onPiece: (ControlClient, RequestBuffer.Piece) -> Void
  private let onEnd: (ControlClient) -> Void

  init(
    id: UInt64,
    peer: Peer,
    owning socket: Int32,
    limits: ControlLimits,
    reactor: Reactor,
    onPiece: @escaping (ControlClient, RequestBuffer.Piece) -> Void,
    onEnd: @escaping (ControlClient) -> Void
  ) throws(SystemError) {
    self.id = id
    self.peer = peer
    name = peer.program
    self.limits = limits
    self.reactor = reactor
    self.socket = Descriptor(owning: socket)
    self.onPiece = onPiece
    self.onEnd = onEnd
    try reactor.watch(socket, .readable) { [unowned self] events in ready(events) }
  }

  /// Whether it has so much to read that it may wait for what can be told later.
  var isBehind: Bool { output.waiting > limits.output / 4 }

  /// Hands lines over to be sent; a client that does not read them is let go.
  func send(_ line: [UInt8]) {
    guard !isClosing, !isDeaf else { return }
    output.append(line)
    flush()
    if output.waiting > limits.output { close() }
  }

  /// Sends an answer of any length piece by piece, as fast as the client reads.
  func send(source: @escaping ClientOutput.Source) {
    guard !isClosing, !isDeaf else { return }
    output.append(source: source)
    flush()
  }

  /// Counts a request as not answered yet.
  func begin() {
    openRequests += 1
  }

  /// Counts a request as answered, once all of the answer was handed over.
  func end() {
    openRequests -= 1
    if hasBacklog { takeTurnLater() }
    settle()
  }

  /// Sends a last line and closes.
  func refuse(_ error: ServiceError) {
    guard !isClosing else { return }
    if let line = try? JSONLine.encode(Reply.error(id: "", error)) {
      output.append(line)
      _ = output.write(to: socket.raw)
    }
    close()
  }

  func close() {
    guard !isClosing else { return }
    isClosing = true
    if let lineTimer { reactor.cancel(lineTimer) }
    reactor.unwatch(socket.raw)
    output = ClientOutput()
    (backlog, changes) = (nil, nil)
    shutdown(socket.raw, Int32(SHUT_RDWR))
    onEnd(self)
  }

  // MARK: - Reading

  private var isReading: Bool { !hasEnded && !hasBacklog && openRequests < limits.open }

  private func ready(_ events: Events) {
    if events.contains(.writable) { flush() }
    if !isClosing, events.contains(.readable), isReading { read() }
    guard !isClosing, !events.isDisjoint(with: [.hangUp, .failed]) else { return }
    // Who asks and leaves meant it all the same, and takes turns as before. The kernel would say again
    // and again that it has left.
    (isGone, isDeaf) = (true, true)
    output = ClientOutput()
    if let lineTimer { reactor.cancel(lineTimer) }
    lineTimer = nil
    reactor.unwatch(socket.raw)
    takeTurnLater()
  }

  private func read() {
    fill()
    takeTurn()
  }

  /// Reads what is there, once; false if nothing was or will be.
  @discardableResult
  private func fill() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { hasEnded = true }
      guard count > 0 else { return false }
      input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return true
    }
  }

  /// Handles as many of the lines that were read as it may at once; the rest comes after the others.
  private func takeTurn() {
    isTurnDue = false
    hasBacklog = false
    isInTurn = true
    var left = isGone ? limits.turnOfGone : limits.turn
    while !isClosing {
      guard left > 0, openRequests < limits.open else {
        hasBacklog = true
        break
      }
      guard let piece = input.next() else {
        if isGone, fill() { continue }
        break
      }
      left -= 1
      isNewLine = true
      onPiece(self, piece)
    }
    isInTurn = false
    if hasBacklog, openRequests < limits.open { takeTurnLater() }
    settle()
  }

  private func takeTurnLater() {
    guard !isTurnDue else { return }
    isTurnDue = true
    reactor.post { [weak self] in self?.takeTurn() }
  }

  /// A line must come to its end in time, as long as it is read.
  private func watchLine() {
    let change = LineWatch(
      isRunning: lineTimer != nil,
      isOpen: isReading && input.isPartial,
      isNewLine: isNewLine
    )
    isNewLine = false
    if change == .stop || change == .restart, let lineTimer {
      reactor.cancel(lineTimer)
      self.lineTimer = nil
    }
    guard change == .start || change == .restart else { return }
    lineTimer = reactor.after(limits.line) { [weak self] in
      guard let self else { return }
      lineTimer = nil
      refuse(ServiceError(.badRequest, "the line did not end within \(limits.line.text())"))
    }
  }

  // MARK: - Writing

  /// Makes and writes one chunk; the next waits for its turn among the descriptors.
  private func flush() {
    while output.waiting < limits.chunk, let source = output.sources.first {
      if let piece = source() { output.append(piece) } else { output.removeFirstSource() }
    }
    if !output.write(to: socket.raw) {
      // Nobody reads; what was sent before is handled all the same, until the kernel says it is over.
      isDeaf = true
      output = ClientOutput()
    }
    settle()
  }

  /// Watches for what is of use now, and closes when nothing more can come of it.
  private func settle() {
    guard !isClosing, !isInTurn else { return }
    if isGone {
      if !hasBacklog, !isTurnDue { close() }
      return
    }
    if hasEnded, !hasBacklog, openRequests == 0, output.isEmpty, !isSubscribed { return close() }
    watchLine()
    var wanted: Events = []
    if isReading { wanted.insert(.readable) }
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    try? reactor.modify(socket.raw, wanted)
  }
}

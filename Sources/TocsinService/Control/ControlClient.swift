import CLinux
import Glibc
import TocsinModel

/// One connection to the daemon: its lines in, its lines out, and the limits that keep it harmless.
///
/// On the reactor's thread only.
final class ControlClient: @unchecked Sendable {
  // Unchecked is safe because it is made, called and released on the reactor's thread alone, which is
  // also the executor of the actor it is handed to.

  /// The limits one client has to keep.
  enum Limit {
    /// Bytes waiting to be read by it; one that lets more pile up does not read.
    static let output = 1 << 20
    /// Bytes waiting before a long answer is continued.
    static let chunk = 64 << 10
    /// Requests not answered yet before no more are read.
    static let open = 256
    /// How long a line may take from its first byte to its last.
    static let line: Duration = .seconds(5)
  }

  let id: UInt64
  let peer: Peer
  /// The name history and sinks know it by.
  let name: String
  /// Whether it wants events.
  var isSubscribed = false
  /// What it said of itself, if it presents.
  var ready: SinkReport.Ready?

  private let reactor: Reactor
  private let socket: Descriptor
  private var input = RequestBuffer()
  private var output: [UInt8] = []
  private var written = 0
  /// Yields the rest of long answers, a piece at a time.
  private var streams: [() -> [UInt8]?] = []
  private var openRequests = 0
  private var lineTimer: TimerToken?
  private var interest: Events = .readable
  private var isClosing = false
  private let onPiece: (ControlClient, RequestBuffer.Piece) -> Void
  private let onEnd: (ControlClient) -> Void

  init(
    id: UInt64,
    peer: Peer,
    owning socket: Int32,
    reactor: Reactor,
    onPiece: @escaping (ControlClient, RequestBuffer.Piece) -> Void,
    onEnd: @escaping (ControlClient) -> Void
  ) throws(SystemError) {
    self.id = id
    self.peer = peer
    name = peer.program
    self.reactor = reactor
    self.socket = Descriptor(owning: socket)
    self.onPiece = onPiece
    self.onEnd = onEnd
    try reactor.watch(socket, .readable) { [unowned self] events in ready(events) }
  }

  /// Hands lines over to be sent; a client that does not read them is let go.
  func send(_ line: [UInt8]) {
    guard !isClosing else { return }
    output.append(contentsOf: line)
    flush()
    if output.count - written > Limit.output { close() }
  }

  /// Sends an answer of any length piece by piece, as fast as the client reads.
  func send(stream: @escaping () -> [UInt8]?) {
    streams.append(stream)
    flush()
  }

  /// Counts a request as not answered yet.
  func begin() {
    openRequests += 1
    updateInterest()
  }

  /// Counts a request as answered.
  func end() {
    openRequests -= 1
    updateInterest()
  }

  /// Sends a last line and closes.
  func refuse(_ error: ServiceError) {
    if let line = try? JSONLine.encode(Reply.error(id: "", error)) {
      output.append(contentsOf: line)
      flush()
    }
    close()
  }

  func close() {
    guard !isClosing else { return }
    isClosing = true
    if let lineTimer { reactor.cancel(lineTimer) }
    reactor.unwatch(socket.raw)
    streams = []
    shutdown(socket.raw, Int32(SHUT_RDWR))
    onEnd(self)
  }

  private func ready(_ events: Events) {
    if events.contains(.writable) { flush() }
    if !isClosing, events.contains(.readable) { read() }
    if !isClosing, !events.isDisjoint(with: [.hangUp, .failed]) { close() }
  }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
      let count = recv(socket.raw, buffer.baseAddress, buffer.count, 0)
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return close() }
      guard count > 0 else { return }
      input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { piece in
        if !isClosing { onPiece(self, piece) }
      }
    }
    watchLine()
  }

  /// A line must come to its end in time; one that has waits for none.
  private func watchLine() {
    guard !isClosing else { return }
    if !input.isPartial, let lineTimer {
      reactor.cancel(lineTimer)
      self.lineTimer = nil
    } else if input.isPartial, lineTimer == nil {
      lineTimer = reactor.after(Limit.line) { [weak self] in
        self?.refuse(ServiceError(.badRequest, "the line did not end within 5 s"))
      }
    }
  }

  private func flush() {
    while !isClosing {
      while output.count - written < Limit.chunk, let stream = streams.first {
        if let piece = stream() {
          output.append(contentsOf: piece)
        } else {
          streams.removeFirst()
        }
      }
      guard written < output.count else {
        output = []
        written = 0
        break
      }
      let count = output.withUnsafeBytes { bytes in
        Glibc.send(
          socket.raw,
          bytes.baseAddress?.advanced(by: written),
          bytes.count - written,
          Int32(MSG_NOSIGNAL)
        )
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return close() }
      written += count
      if written > Limit.chunk {
        output.removeSubrange(..<written)
        written = 0
      }
    }
    updateInterest()
  }

  private func updateInterest() {
    guard !isClosing else { return }
    var wanted: Events = []
    if openRequests < Limit.open { wanted.insert(.readable) }
    if !output.isEmpty { wanted.insert(.writable) }
    guard wanted != interest else { return }
    interest = wanted
    try? reactor.modify(socket.raw, wanted)
  }
}

import Glibc
package import TocsinModel
import TocsinTime

/// A client's end of the control socket: requests out, replies and events in.
///
/// Not safe to share: one thread or one actor owns it. Nothing here blocks without a limit, and no
/// write ever raises SIGPIPE.
package final class Connection {
  /// Where it leads, for messages.
  package let path: String
  /// The socket, to be polled for reading; it does not block, and is -1 once closed.
  package private(set) var fileDescriptor: Int32

  private var buffer = LineBuffer()
  private var serial: UInt64 = 0
  private var waiting: [Incoming] = []

  /// Connects to the daemon at that path.
  ///
  /// - Parameters:
  ///   - path: at most `ServicePaths.socketLimit` bytes.
  ///   - limit: how long a daemon that is too busy to accept is waited for.
  /// - Throws: `ClientError` with `noDaemon`, `refused`, `pathTooLong`, `timeout` or `system`.
  package init(to path: String, within limit: Duration = .seconds(1)) throws(ClientError) {
    self.path = path
    fileDescriptor = try UnixSocket.connect(to: path, within: limit)
  }

  /// Takes over one end of a socket pair whose other end a service holds.
  ///
  /// - Parameters:
  ///   - fileDescriptor: a stream socket; closed with the connection.
  ///   - path: what messages call the other end.
  package init(adopting fileDescriptor: Int32, path: String) {
    self.path = path
    self.fileDescriptor = fileDescriptor
    UnixSocket.setNonBlocking(fileDescriptor)
  }

  /// Connects to the first of the paths at which a daemon answers.
  ///
  /// - Throws: `noDaemon` with all paths if none does; any other failure of a path at once, as a
  ///   daemon that hangs or that this user may not ask is not a daemon that is missing.
  package static func first(
    of paths: [String],
    within limit: Duration = .seconds(1)
  ) throws(ClientError) -> Connection {
    for path in paths {
      do {
        return try Connection(to: path, within: limit)
      } catch .noDaemon {
        continue
      }
    }
    throw .noDaemon(paths: paths)
  }

  deinit {
    if fileDescriptor >= 0 { Glibc.close(fileDescriptor) }
  }

  /// Closes the socket; further calls throw `lost`.
  package func close() {
    if fileDescriptor >= 0 { Glibc.close(fileDescriptor) }
    fileDescriptor = -1
  }

  /// Sends a request and waits for its `ok`.
  ///
  /// Events that come in between are kept for `receive(within:)`.
  ///
  /// - Parameters:
  ///   - body: what is asked.
  ///   - limit: how long the daemon may be silent about this request.
  ///   - item: called with each line of the answer before its end, such as `alarm`, in order.
  /// - Returns: what the `ok` says.
  /// - Throws: `service` if the answer is an error; `timeout`, `lost`, `protocol`, `tooLarge`.
  @discardableResult
  package func request(
    _ body: Request.Body,
    within limit: Duration = .seconds(10),
    item: (Reply) -> Void = { _ in }
  ) throws(ClientError) -> Reply.Outcome {
    let id = try send(body, within: limit)
    var deadline = Deadline(after: limit)
    while true {
      guard let incoming = try nextLine(until: deadline) else {
        throw .timeout(path: path, operation: "answer", seconds: limit.seconds)
      }
      switch incoming {
      case .event, .application:
        waiting.append(incoming)
        // A flood of events must not hide that the answer does not come.
        if deadline.milliseconds == 0 {
          throw .timeout(path: path, operation: "answer", seconds: limit.seconds)
        }
      case .reply(let reply) where reply.id == id:
        switch reply {
        case .ok(_, let outcome): return outcome
        case .error(_, let error): throw .service(error)
        case .alarm, .entry, .sink, .step, .silence:
          item(reply)
          deadline = Deadline(after: limit)
        }
      case .reply(.error("", let error)):
        // The daemon could not even read the id of what it was sent.
        throw .service(error)
      case .reply:
        // The rest of an answer that was given up on.
        continue
      }
    }
  }

  /// Sends a request without waiting for its answer.
  ///
  /// - Returns: the id that the answer will bear.
  @discardableResult
  package func send(
    _ body: Request.Body,
    within limit: Duration = .seconds(10)
  ) throws(ClientError) -> String {
    serial += 1
    let id = String(serial)
    let line: [UInt8]
    do {
      line = try JSONLine.encode(Request(id: id, body))
    } catch {
      throw .service(ServiceError(.invalid, "a number in the request is not finite"))
    }
    guard line.count <= JSONLine.limit else { throw .tooLarge(bytes: line.count) }
    do {
      try write(line, until: Deadline(after: limit), limit: limit)
    } catch .lost(let path) {
      throw refusal() ?? .lost(path: path)
    }
    return id
  }

  /// Why the daemon closed the connection, if it said so before it did.
  ///
  /// Whom it does not serve it tells so at once, and may have closed before the first request is sent.
  private func refusal() -> ClientError? {
    while let incoming = try? nextLine(until: Deadline(after: .zero)) {
      if case .reply(.error("", let error)) = incoming { return .service(error) }
    }
    return nil
  }

  /// Sends what a sink reports: receipts, intents, lines for the log.
  package func report(
    _ report: SinkReport,
    within limit: Duration = .seconds(10)
  ) throws(ClientError) {
    guard let line = try? JSONLine.encode(report) else {
      throw .service(ServiceError(.invalid, "a number in the report is not finite"))
    }
    try write(line, until: Deadline(after: limit), limit: limit)
  }

  /// The next reply or event.
  ///
  /// - Parameter limit: how long to wait; zero takes only what has arrived, as after poll(2).
  /// - Returns: nil if nothing came in time.
  /// - Throws: `lost` at the end of the stream; `protocol`.
  package func receive(within limit: Duration = .zero) throws(ClientError) -> Incoming? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    return try nextLine(until: Deadline(after: limit))
  }

  private func nextLine(until deadline: Deadline) throws(ClientError) -> Incoming? {
    while true {
      if let line = buffer.takeLine() {
        if line.isEmpty { continue }
        do {
          return try JSONLine.decode(Incoming.self, from: line)
        } catch {
          throw .protocol(path: path, what: error.message)
        }
      }
      guard buffer.count <= JSONLine.limit else {
        throw .protocol(path: path, what: "a line is longer than \(JSONLine.limit) bytes")
      }
      guard try fill(until: deadline) else { return nil }
    }
  }

  /// Reads what is there, once; false if nothing came before the deadline.
  private func fill(until deadline: Deadline) throws(ClientError) -> Bool {
    while true {
      guard fileDescriptor >= 0 else { throw .lost(path: path) }
      let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { chunk in
        let count = recv(fileDescriptor, chunk.baseAddress, chunk.count, 0)
        let code = errno
        if count > 0 { buffer.append(chunk[..<count]) }
        return count < 0 ? -Int(code) : count
      }
      switch count {
      case 1...: return true
      case 0, -Int(ECONNRESET): throw .lost(path: path)
      case -Int(EINTR): continue
      case -Int(EAGAIN):
        guard UnixSocket.wait(fileDescriptor, for: POLLIN, until: deadline) else { return false }
      default: throw .system(operation: "read from", path: path, code: Int32(-count))
      }
    }
  }

  private func write(
    _ line: [UInt8],
    until deadline: Deadline,
    limit: Duration
  ) throws(ClientError) {
    var sent = 0
    while sent < line.count {
      guard fileDescriptor >= 0 else { throw .lost(path: path) }
      let count = line.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = Glibc.send(
          fileDescriptor,
          rest.baseAddress,
          rest.count,
          Int32(MSG_NOSIGNAL)
        )
        return count < 0 ? -Int(errno) : count
      }
      switch count {
      case 0...: sent += count
      case -Int(EINTR): continue
      case -Int(EAGAIN):
        guard UnixSocket.wait(fileDescriptor, for: POLLOUT, until: deadline) else {
          throw .timeout(path: path, operation: "take the request", seconds: limit.seconds)
        }
      case -Int(EPIPE), -Int(ECONNRESET): throw .lost(path: path)
      default: throw .system(operation: "write to", path: path, code: Int32(-count))
      }
    }
  }
}

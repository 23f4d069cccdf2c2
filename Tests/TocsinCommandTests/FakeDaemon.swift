import Foundation
import Glibc
import TocsinModel

/// A real socket at which every request is answered by a closure.
final class FakeDaemon: Sendable {
  let path: String
  private let directory: String
  private let listener: Int32
  private let log = RequestLog()

  /// The requests so far.
  var requests: [Request] { log.requests }

  /// Listens, and serves one client after the other on a thread of its own.
  ///
  /// The closure may use the socket to send events, or to go away.
  init(_ answer: @escaping @Sendable (Request, Client) -> Void) throws {
    var template = Array("/tmp/tocsin-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    path = directory + "/s.sock"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw POSIXError(.EADDRINUSE) }
    let log = log
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        let client = Client(descriptor)
        while let request = client.request() {
          log.add(request)
          answer(request, client)
        }
        Glibc.close(descriptor)
      }
      // Here and not in deinit: another daemon may get the number while accept(2) still has it.
      Glibc.close(listener)
    }
  }

  /// Ends the thread and removes the socket.
  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// One connection, from the daemon's side.
  final class Client {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func request() -> Request? {
      while true {
        if let end = buffer.firstIndex(of: 0x0a) {
          let line = Array(buffer[..<end])
          buffer.removeFirst(end + 1)
          if let request = try? JSONLine.decode(Request.self, from: line) { return request }
          // What a sink reports is no request.
          if (try? JSONLine.decode(SinkReport.self, from: line)) == nil { return nil }
          continue
        }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { return nil }
        buffer += chunk[..<count]
      }
    }

    func send(_ message: some Encodable) {
      guard let line = try? JSONLine.encode(message) else { return }
      _ = line.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    }

    /// Ends the connection for both sides.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }
}

/// What was asked, in order.
///
/// Safe because every access holds the lock.
private final class RequestLog: @unchecked Sendable {
  private let lock = NSLock()
  private var all: [Request] = []

  var requests: [Request] { lock.withLock { all } }

  func add(_ request: Request) { lock.withLock { all.append(request) } }
}

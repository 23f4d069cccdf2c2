import Glibc
import ProcessTesting

/// A socket without manners.
final class RawClient {
  let lines: LineReader
  private let socket: Int32
  var descriptor: Int32 { socket }

  /// Connects; a write that waits for longer than the limit, in seconds, fails.
  init(_ path: String, sendLimit: Int = 20) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    lines = LineReader(socket)
    var limit = timeval(tv_sec: sendLimit, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    guard code == 0 else { throw Failure("connect: \(String(cString: strerror(errno)))") }
  }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failure("send: \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
  }
}

import Glibc
import ProcessTesting

/// The service manager's end of sd_notify(3).
final class NotificationSocket {
  let path: String
  private let socket: Int32

  init(_ path: String) throws {
    self.path = path
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
    }
    guard code == 0 else { throw Failure("bind \(path)") }
  }

  deinit { close(socket) }

  /// Waits for a message with that text in it.
  func wait(for text: String) throws {
    while true {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(patience.components.seconds * 1_000)) > 0 else {
        throw Failure("\(text) is not notified")
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = recv(socket, &bytes, bytes.count, 0)
      if String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains(text) { return }
    }
  }
}

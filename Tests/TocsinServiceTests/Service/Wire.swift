import Foundation
import Glibc
import Testing

/// A client's end of a connection, reading with a generous limit.
final class Wire {
  let descriptor: Int32
  private var bytes: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit {
    close(descriptor)
  }

  /// Two connected ends; the second is for whoever serves it.
  static func pair() -> (Wire, Int32) {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (Wire(ends[0]), ends[1])
  }

  /// A connection to a socket's path; nil if nobody listens.
  static func connect(to path: String) -> Wire? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return Wire(descriptor)
  }

  func write(_ text: String) {
    write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Says that it will send no more.
  func endInput() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// The next line without its newline; nil at the end.
  func line() -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeSubrange(...end) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 256 << 10)
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { Issue.record("nothing came within 20 s") }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
    }
  }

  /// The next line as an object; empty at the end.
  func object() -> [String: Any] {
    guard let line = line(), let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    else { return [:] }
    return value as? [String: Any] ?? [:]
  }

  /// The lines that answer a request, `ok` or `error` last, events left out.
  func answer(_ id: String) -> [[String: Any]] {
    var lines: [[String: Any]] = []
    while true {
      let next = object()
      guard !next.isEmpty else { return lines }
      guard next["id"] as? String == id else { continue }
      lines.append(next)
      if ["ok", "error"].contains(next["type"] as? String) { return lines }
    }
  }

  /// Sends a request and returns its last line.
  @discardableResult
  func ask(_ type: String, _ keys: [String: Any] = [:]) -> [String: Any] {
    write(Self.request(type, keys))
    return answer("q").last ?? [:]
  }

  static func request(_ type: String, _ keys: [String: Any] = [:], id: String = "q") -> String {
    let object = keys.merging(["type": type, "id": id]) { old, _ in old }
    let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// What a status warns of, in one text.
func warnings(_ status: [String: Any]?) -> String {
  (status?["warnings"] as? [String] ?? []).joined(separator: "\n")
}

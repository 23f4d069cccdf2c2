import Foundation
import Glibc

/// A real socket with somebody at it who does exactly what a test says.
final class ScriptedServer: Sendable {
  let path: String
  private let directory: String
  private let done = DispatchSemaphore(value: 0)

  /// Listens, and plays the script for the first client, on a thread of its own.
  init(_ script: @escaping @Sendable (Peer) -> Void) throws {
    directory = try temporaryDirectory()
    path = directory + "/s.sock"
    let listener = try listening(at: path, backlog: 8)
    let done = done
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      script(Peer(client))
      Glibc.close(client)
      Glibc.close(listener)
      done.signal()
    }
  }

  /// Waits until the script is over.
  func finish() { done.wait() }

  deinit { try? FileManager.default.removeItem(atPath: directory) }
}

/// The server's end of a connection; blocking, as the script is one sequence.
final class Peer {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line, without its newline; nil at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0a) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line
      }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffer += chunk[..<count]
    }
  }

  /// The next request as a dictionary.
  func request() -> [String: Any] {
    guard let line = line(),
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    else { return [:] }
    return object as? [String: Any] ?? [:]
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}

func temporaryDirectory() throws -> String {
  var template = Array("/tmp/tocsin-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

func listening(at path: String, backlog: Int32) throws -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  let result = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
  guard result == 0, listen(descriptor, backlog) == 0 else { throw POSIXError(.EADDRINUSE) }
  return descriptor
}

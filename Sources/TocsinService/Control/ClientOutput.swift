import Glibc

/// What is on its way to a client: bytes, and the answers that are still to be made.
struct ClientOutput {
  /// Makes the rest of a long answer, a piece a call, and nil at its end.
  typealias Source = () -> [UInt8]?

  private var bytes: [UInt8] = []
  private var written = 0
  private(set) var sources: [Source] = []

  /// Bytes that are made and not taken by the kernel yet.
  var waiting: Int { bytes.count - written }
  /// Whether there is nothing to send, now or later.
  var isEmpty: Bool { waiting == 0 && sources.isEmpty }

  mutating func append(_ piece: [UInt8]) {
    bytes.append(contentsOf: piece)
  }

  mutating func append(source: @escaping Source) {
    sources.append(source)
  }

  mutating func removeFirstSource() {
    if !sources.isEmpty { sources.removeFirst() }
  }

  /// Writes as much as the socket takes; false if nobody is there to read it.
  mutating func write(to socket: Int32) -> Bool {
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[written...])
        return send(socket, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        written += count
      } else if errno == EAGAIN {
        bytes.removeSubrange(..<written)
        written = 0
        return true
      } else if errno != EINTR {
        return false
      }
    }
    // A client that reads keeps no memory.
    bytes = []
    written = 0
    return true
  }
}

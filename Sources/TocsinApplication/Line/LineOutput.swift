import Glibc

/// Lines on their way out of a socket, never waited for.
struct LineOutput {
  private var bytes: [UInt8] = []
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }

  /// Adds a line.
  mutating func append(_ line: [UInt8]) { bytes += line }

  /// Writes as much as there is room for.
  ///
  /// What goes wrong is left to whoever reads from the same socket: it ends there too, and the reason that
  /// the other end gave may still be read.
  mutating func write(to descriptor: Int32) {
    while !isEmpty {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return send(descriptor, rest.baseAddress, rest.count, flags)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        self = LineOutput()
      }
    }
    // Moved now and then, not for each line.
    if isEmpty || sent >= 64 * 1_024 {
      bytes.removeFirst(sent)
      sent = 0
    }
  }
}

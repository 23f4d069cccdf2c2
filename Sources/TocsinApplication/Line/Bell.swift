import Glibc

/// Wakes a thread that waits in poll(2), from any other.
final class Bell: Sendable {
  /// Readable when it was rung.
  let descriptor: Int32
  private let rope: Int32

  /// Nil if the process or the system has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    // A pair of sockets, as pipe(2) cannot make its ends close-on-exec from the beginning.
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return nil }
    (descriptor, rope) = (ends[0], ends[1])
  }

  deinit {
    close(descriptor)
    close(rope)
  }

  /// Rings; a bell that rings already is full, and wakes just as well.
  func ring() {
    var byte: UInt8 = 1
    _ = send(rope, &byte, 1, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Takes out all rings.
  func silence() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while recv(descriptor, &bytes, 16, Int32(MSG_DONTWAIT)) == 16 {}
  }
}

import CLinux
import Glibc

/// Both ends of a socket pair, each closed unless somebody takes it.
final class ConnectedPair: Sendable {
  /// The end of the program.
  let mine: Loan
  /// The end of the service; it does not block.
  let theirs: Loan

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    (mine, theirs) = (Loan(ends[0]), Loan(ends[1]))
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
  }

  /// A descriptor that is closed unless somebody takes it.
  final class Loan: Sendable {
    private let descriptor: Lock<Int32>

    fileprivate init(_ descriptor: Int32) {
      self.descriptor = Lock(descriptor)
    }

    deinit {
      let left = take()
      if left >= 0 { close(left) }
    }

    /// The descriptor, which is then the caller's; -1 the second time.
    func take() -> Int32 {
      descriptor.withLock { descriptor in
        defer { descriptor = -1 }
        return descriptor
      }
    }
  }
}

import CLinux
import Glibc

/// How something went, handed from the service's thread to the one that waits for it.
final class Handover<Value: Sendable>: Sendable {
  private let result = Lock<Result<Value, any Error>?>(nil)
  private let bell: Int32

  init() throws(SystemError) {
    bell = try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
  }

  deinit {
    close(bell)
  }

  /// Says how it went, once.
  func finish(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    var one: UInt64 = 1
    while write(bell, &one, 8) < 0, errno == EINTR {}
  }

  /// Blocks until somebody says how it went.
  func wait() throws -> Value {
    var count: UInt64 = 0
    try check("read", "eventfd") { read(bell, &count, 8) }
    guard let result = result.withLock({ $0 }) else { throw SystemError("eventfd") }
    return try result.get()
  }
}

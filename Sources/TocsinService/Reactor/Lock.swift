import Glibc

/// A value that several threads share; held for a few instructions, never over a call that may block.
///
/// A mutex of the C library: the thread sanitizer sees it, and reports races that are not with the
/// standard library's.
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked is safe because the value is reached only through `withLock`.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value while no other thread can; what it returns must not share the
  /// value's references.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

#if TSAN
  import Glibc
#else
  import Synchronization
#endif

/// A value that several threads share; held for a few instructions, never over a call that may block.
///
/// The thread sanitizer does not see the standard library's mutex and reports races that are not, so
/// builds with `-DTSAN` use the one of the C library.
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked is safe because the value is reached only through `withLock`.
  #if TSAN
    private var value: Value
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  #else
    private let mutex: Mutex<Value>
  #endif

  package init(_ value: sending Value) {
    #if TSAN
      self.value = value
      pthread_mutex_init(mutex, nil)
    #else
      mutex = Mutex(value)
    #endif
  }

  #if TSAN
    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }
  #endif

  /// Runs `body` with the value while no other thread can.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    #if TSAN
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value)
    #else
      try mutex.withLock { value in
        // Region checking cannot follow a value through a closure it does not know; the result does
        // not alias the guarded value because callers return copies.
        nonisolated(unsafe) let result = try body(&value)
        return result
      }
    #endif
  }
}

import Glibc

/// A value that comes later, once; waited for by a thread or by a task.
final class Promise<Value: Sendable>: @unchecked Sendable {
  // Unchecked is safe because everything is reached with the mutex held.
  private var value: Value?
  private var continuation: CheckedContinuation<Value, Never>?
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let came = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Setting the wall clock must not lengthen a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(came, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(came)
    pthread_mutex_destroy(mutex)
    came.deallocate()
    mutex.deallocate()
  }

  /// Gives the value; the first one counts.
  func fulfil(_ value: Value) {
    pthread_mutex_lock(mutex)
    let continuation = continuation
    let isFirst = self.value == nil
    if isFirst {
      self.value = value
      self.continuation = nil
      pthread_cond_broadcast(came)
    }
    pthread_mutex_unlock(mutex)
    if isFirst { continuation?.resume(returning: value) }
  }

  /// Blocks the thread until the value is there.
  ///
  /// - Parameter deadline: how long at most, by `monotonicNow()`; nil for ever.
  /// - Returns: nil if it did not come in time.
  func wait(until deadline: LinkMoment? = nil) -> Value? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while value == nil {
      guard let deadline else {
        pthread_cond_wait(came, mutex)
        continue
      }
      var time = timespec(
        tv_sec: Int(deadline / 1_000_000),
        tv_nsec: Int(deadline % 1_000_000) * 1_000
      )
      if pthread_cond_timedwait(came, mutex, &time) == ETIMEDOUT { break }
    }
    return value
  }

  /// Suspends until the value is there; one task only.
  func result() async -> Value {
    await withCheckedContinuation { continuation in
      pthread_mutex_lock(mutex)
      let value = value
      if value == nil { self.continuation = continuation }
      pthread_mutex_unlock(mutex)
      if let value { continuation.resume(returning: value) }
    }
  }
}

/// The clock that is never set, in microseconds: CLOCK_MONOTONIC.
func monotonicNow() -> LinkMoment {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return LinkMoment(time.tv_sec) * 1_000_000 + LinkMoment(time.tv_nsec) / 1_000
}

import Glibc

/// What waits for the store's thread, and what the thread lets others see.
final class StoreQueue {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  // All below is guarded by `mutex`.
  private var jobs: [StoreJob] = []
  private var isWorking = false
  private var isHeld = false
  private var isGathering = false
  private var isClosing = false
  private var shown = StoreFigures()

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Steps of the wall clock must not move a time-out.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Adds a job; false if the queue was closed before.
  func add(_ job: StoreJob) -> Bool {
    let (isAdded, wakes) = locked {
      guard !isClosing else { return (false, false) }
      jobs.append(job)
      return (true, !isGathering)
    }
    // After the mutex is free, or the thread would wake only to wait for that.
    if wakes { pthread_cond_broadcast(changed) }
    return isAdded
  }

  /// Lets jobs wait for `wake` from now on, unless the thread looks for some by itself.
  func gather() {
    locked { isGathering = true }
  }

  /// Wakes the thread if there is something to do.
  func wake() {
    if locked({ !jobs.isEmpty }) { pthread_cond_broadcast(changed) }
  }

  /// Takes no more jobs, and has those there are done first; false if it was closed before.
  func close() -> Bool {
    locked {
      guard !isClosing else { return false }
      isClosing = true
      pthread_cond_broadcast(changed)
      return true
    }
  }

  /// The figures as of the last batch.
  var figures: StoreFigures {
    get { locked { shown } }
    set { locked { shown = newValue } }
  }

  /// Runs a body while the thread does nothing, after all that was queued before.
  func whileIdle<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    locked {
      if isGathering { pthread_cond_broadcast(changed) }
      while isWorking || isHeld || !jobs.isEmpty { pthread_cond_wait(changed, mutex) }
      isHeld = true
    }
    defer {
      locked {
        isHeld = false
        pthread_cond_broadcast(changed)
      }
    }
    return try body()
  }

  /// What the thread is to do next.
  enum Next {
    case work([StoreJob])
    /// The time-out passed and nothing came.
    case timedOut
    case end
  }

  /// Waits for jobs and takes all there are; called by the thread, which has then done those before.
  ///
  /// - Parameter timeout: milliseconds until it gives up; nil waits without end and without waking.
  /// - Returns: `end` only once nothing is left to do.
  func next(timeout: Int?) -> Next {
    var end = timespec()
    if let timeout {
      clock_gettime(CLOCK_MONOTONIC, &end)
      end.tv_sec += timeout / 1_000
      end.tv_nsec += timeout % 1_000 * 1_000_000
      if end.tv_nsec >= 1_000_000_000 {
        end.tv_sec += 1
        end.tv_nsec -= 1_000_000_000
      }
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isWorking {
      isWorking = false
      pthread_cond_broadcast(changed)
    }
    while true {
      if !isHeld {
        if !jobs.isEmpty {
          isWorking = true
          defer { jobs = [] }
          return .work(jobs)
        }
        if isClosing { return .end }
      }
      guard timeout != nil else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      if pthread_cond_timedwait(changed, mutex, &end) == ETIMEDOUT, !isHeld, jobs.isEmpty,
        !isClosing
      {
        isWorking = true
        return .timedOut
      }
    }
  }
}

// Safe because every stored property is constant or touched under `mutex` only.
extension StoreQueue: @unchecked Sendable {}

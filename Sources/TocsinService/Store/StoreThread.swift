import Glibc

/// The store's thread; it blocks in fsync, so it is no thread of Swift's pool.
final class StoreThread {
  /// Used on the thread, or while `StoreQueue.whileIdle` holds it back.
  let worker: StoreWorker
  private let thread: pthread_t

  init(_ worker: StoreWorker, _ queue: StoreQueue) throws(StoreError) {
    self.worker = worker
    let start = Unmanaged.passRetained(StoreThreadStart(worker, queue))
    var thread = pthread_t()
    // All signals stay with the other threads; so a limit on file sizes is an error of write(2) here.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    let code = pthread_create(&thread, nil, runStore, start.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      start.release()
      throw StoreError("start a thread for", path: worker.files?.main ?? "", errno: code)
    }
    self.thread = thread
  }

  /// Waits for the thread's end; on the thread itself it only lets go of it.
  func join() {
    if pthread_equal(pthread_self(), thread) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }
}

// Safe because its properties are constant, and `worker` is used only as said there.
extension StoreThread: @unchecked Sendable {}

/// What the new thread is given.
private final class StoreThreadStart {
  let worker: StoreWorker
  let queue: StoreQueue

  init(_ worker: StoreWorker, _ queue: StoreQueue) {
    self.worker = worker
    self.queue = queue
  }
}

private func runStore(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let start = Unmanaged<StoreThreadStart>.fromOpaque(context).takeRetainedValue()
  let quiet = Int(start.worker.setup.quiet / .milliseconds(1))
  while true {
    let timeout = start.worker.wantsQuiet ? quiet : nil
    switch start.queue.next(timeout: timeout) {
    case .work(let jobs): start.worker.run(jobs)
    case .timedOut: start.worker.useQuiet()
    case .end:
      start.worker.close()
      return nil
    }
  }
}

import Glibc
import Synchronization

/// Carries out what may block, one after another, on a thread that lives only while there is work.
final class SerialThread: Sendable {
  private struct Work {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  /// Plug-ins of ALSA are at home in programs with ordinary stacks, but none needs 8 MB.
  private static let stackBytes = 512 * 1024

  private let work = Mutex(Work())

  /// Runs the job after those given before; if no thread can be had, on the caller's.
  func run(_ job: @escaping @Sendable () -> Void) {
    let starts = work.withLock { work in
      work.jobs.append(job)
      defer { work.isRunning = true }
      return !work.isRunning
    }
    if starts, !start() { workOff() }
  }

  private func start() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    guard pthread_create(&thread, &attributes, runSerialThread, context.toOpaque()) == 0 else {
      context.release()
      return false
    }
    return true
  }

  fileprivate func workOff() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    work.withLock { work in
      guard !work.jobs.isEmpty else {
        work.isRunning = false
        return nil
      }
      return work.jobs.removeFirst()
    }
  }
}

private func runSerialThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  // Signals belong to the thread that waits for them.
  var all = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_BLOCK, &all, nil)
  Unmanaged<SerialThread>.fromOpaque(context).takeRetainedValue().workOff()
  return nil
}

import SinkKit
import Synchronization

/// Carries out what may block, one after another, on a thread that lives only while there is work.
final class SerialThread: Sendable {
  private struct Work {
    var jobs: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let work = Mutex(Work())

  /// Runs the job after those given before; if no thread can be had, on the caller's.
  func run(_ job: @escaping @Sendable () -> Void) {
    let starts = work.withLock { work in
      work.jobs.append(job)
      defer { work.isRunning = true }
      return !work.isRunning
    }
    if starts, !BackgroundThread.start({ self.workOff() }) { workOff() }
  }

  private func workOff() {
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

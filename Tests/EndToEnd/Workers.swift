import Foundation
import Synchronization

/// Threads of their own for tests that wait for processes.
///
/// The pool that all tests share has one thread for each core, and a test that waits in it keeps others
/// from their turn: on a slow machine those would then exceed their time limits.
final class Workers: TaskExecutor {
  /// A few, as most of the time they wait, but not so many that the processes starve each other.
  static let shared = Workers(count: 4)

  private let jobs = Mutex<[UnownedJob]>([])
  private let waiting = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count {
      Thread { [self] in
        while true {
          waiting.wait()
          let job = jobs.withLock { $0.removeFirst() }
          job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }
}

/// Runs a test's body on one of the workers, within the test's own task.
func waiting(_ body: () throws -> Void) async throws {
  try await withTaskExecutorPreference(Workers.shared) { try body() }
}

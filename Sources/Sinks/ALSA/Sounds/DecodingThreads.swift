import SinkKit
import Synchronization

/// Runs jobs that may never end on a few threads, which are gone when there is nothing to do.
///
/// A job that was given up does not keep the others waiting: another thread takes its place, until
/// there are too many. Used from any thread; never blocks.
final class DecodingThreads: Sendable {
  private struct Job {
    var id: Int
    var body: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Job] = []
    var running: Set<Int> = []
    var abandoned: Set<Int> = []
    /// Threads there are, those with abandoned jobs too.
    var threads = 0
  }

  /// Jobs at the same time.
  private let width: Int
  /// Threads at the same time, those with abandoned jobs too.
  private let limit: Int
  private let state = Mutex(State())

  init(width: Int = 2, limit: Int = 16) {
    self.width = width
    self.limit = limit
  }

  /// Runs the body soon; the ids of jobs that wait or run differ.
  func run(_ id: Int, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(Job(id: id, body: body)) }
    addThread()
  }

  /// Takes a job back that has not begun.
  ///
  /// - Returns: false if it has begun.
  func takeBack(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.waiting.count
      state.waiting.removeAll { $0.id == id }
      return state.waiting.count < count
    }
  }

  /// No longer counts on a job that has begun: another may run beside it.
  func abandon(_ id: Int) {
    state.withLock { state in
      if state.running.contains(id) { state.abandoned.insert(id) }
    }
    addThread()
  }

  /// Threads there are now.
  var count: Int { state.withLock { $0.threads } }

  private func addThread() {
    let isWanted = state.withLock { state in
      guard !state.waiting.isEmpty, state.threads - state.abandoned.count < width,
        state.threads < limit
      else { return false }
      state.threads += 1
      return true
    }
    guard isWanted else { return }
    // Without a thread the jobs wait until the next one is given, or are given up.
    if !BackgroundThread.start({ self.work() }) { state.withLock { $0.threads -= 1 } }
  }

  private func work() {
    var last: Int?
    while let job = next(after: last) {
      job.body()
      last = job.id
    }
  }

  private func next(after last: Int?) -> Job? {
    state.withLock { state in
      if let last {
        state.running.remove(last)
        state.abandoned.remove(last)
      }
      let isOneTooMany = state.threads - state.abandoned.count > width
      guard !state.waiting.isEmpty, !isOneTooMany else {
        state.threads -= 1
        return nil
      }
      let job = state.waiting.removeFirst()
      state.running.insert(job.id)
      return job
    }
  }
}

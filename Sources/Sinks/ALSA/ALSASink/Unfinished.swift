import SinkKit
import Synchronization

/// Counts what other threads still do, so that the end can wait for it.
final class Unfinished: Sendable {
  private struct Count {
    var running = 0
    /// Where the end waits.
    var bell: SelfPipe?
  }

  private let count = Mutex(Count())

  /// Counts one more.
  func begin() { count.withLock { $0.running += 1 } }

  /// Counts one less; from any thread.
  func end() {
    count.withLock { count in
      count.running -= 1
      if count.running == 0 { count.bell?.signal() }
    }
  }

  /// Waits until nothing is left, but no longer than told.
  func wait(atMost limit: Duration) {
    guard let bell = SelfPipe() else { return }
    let isOver = count.withLock { count in
      count.bell = bell
      return count.running == 0
    }
    if !isOver { bell.wait(atMost: limit) }
    count.withLock { $0.bell = nil }
  }
}

import Glibc
import Synchronization

/// Counts what other threads still do, so that the end can wait for it.
final class Unfinished: Sendable {
  private struct Count {
    var running = 0
    /// Where the end waits; -1 before.
    var bell: CInt = -1
  }

  private let count = Mutex(Count())

  /// Counts one more.
  func begin() { count.withLock { $0.running += 1 } }

  /// Counts one less; from any thread.
  func end() {
    count.withLock { count in
      count.running -= 1
      guard count.running == 0, count.bell >= 0 else { return }
      var byte: UInt8 = 1
      _ = Glibc.write(count.bell, &byte, 1)
    }
  }

  /// Waits until nothing is left, but no longer than told.
  func wait(milliseconds: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    let isOver = count.withLock { count in
      count.bell = ends[1]
      return count.running == 0
    }
    if !isOver {
      var wanted = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      _ = poll(&wanted, 1, milliseconds)
    }
    count.withLock { $0.bell = -1 }
    for end in ends { close(end) }
  }
}

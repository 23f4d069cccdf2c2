/// The one-shot timers of the shell, the next one last.
///
/// There are a handful of them, so a sorted array beats a heap and cancelling needs no tombstones.
struct TimerQueue {
  private struct Entry {
    var deadline: Int64
    var serial: UInt64
    var work: () -> Void
  }

  private var entries: [Entry] = []
  private var serial: UInt64 = 0

  /// When the first timer is due; nil if there is none.
  var next: Int64? { entries.last?.deadline }

  /// Adds a timer; those of the same deadline fire in the order they were added.
  mutating func insert(deadline: Int64, _ work: @escaping () -> Void) -> TimerToken {
    serial += 1
    let token = TimerToken(deadline: deadline, serial: serial)
    entries.insert(Entry(deadline: deadline, serial: serial, work: work), at: position(of: token))
    return token
  }

  /// Takes a timer out; false if it has fired or was cancelled already.
  @discardableResult
  mutating func cancel(_ token: TimerToken) -> Bool {
    let index = position(of: token)
    guard index < entries.count, entries[index].serial == token.serial else { return false }
    entries.remove(at: index)
    return true
  }

  /// Takes out the first timer if it is due.
  mutating func popDue(now: Int64) -> (() -> Void)? {
    guard let last = entries.last, last.deadline <= now else { return nil }
    entries.removeLast()
    return last.work
  }

  /// The first index whose entry does not come after the token.
  private func position(of token: TimerToken) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      if (entry.deadline, entry.serial) > (token.deadline, token.serial) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// Names a one-shot timer, to cancel it.
package struct TimerToken: Hashable, Sendable {
  let deadline: Int64
  let serial: UInt64
}

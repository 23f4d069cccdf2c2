package import TocsinTime

/// Clocks that stand until somebody moves them, for a service that is to live through a week at once.
///
/// A service on them arms no timer for its alarms; `EmbeddedService.advance(by:)` lets time pass. Two of
/// them that began at the same instant count as one boot, so that a store may go from one to the other.
package final class ManualClocks: Clocks {
  package let bootID: String
  private let time: Lock<(wall: Instant, boot: Int64)>

  /// Sets the wall clock, and begins a boot.
  ///
  /// - Parameters:
  ///   - wall: what the wall clock reads.
  ///   - bootID: the name of the boot; nil takes one from `wall`.
  package init(wall: Instant, bootID: String? = nil) {
    self.bootID = bootID ?? "moved by hand since \(wall.rfc3339)"
    time = Lock((wall, 0))
  }

  package var areMovedByHand: Bool { true }

  package func wallNow() -> Instant { time.withLock { $0.wall } }

  package func bootNow() -> Int64 { time.withLock { $0.boot } }

  /// Sets the wall clock alone, as a person does; from any thread.
  ///
  /// A service notices only when something else happens; `EmbeddedService.step(by:)` tells it as well.
  package func step(by duration: Duration) {
    time.withLock { $0.wall = $0.wall + duration }
  }

  /// Lets both clocks go on to an instant of the clock since boot; never back.
  func move(to boot: Int64) {
    time.withLock { time in
      guard boot > time.boot else { return }
      time.wall = time.wall.advanced(byMicroseconds: boot - time.boot)
      time.boot = boot
    }
  }
}

package import Glibc

/// The two clocks a sink may ask, through its host.
public protocol SinkClock: AnyObject {
  /// The wall clock.
  var now: Instant { get }
  /// Time since an arbitrary moment that nobody can set; goes on while the machine sleeps.
  var elapsed: Duration { get }
}

/// A moment by both clocks.
package struct Moment: Hashable, Sendable {
  /// The wall clock.
  package var now: Instant
  /// Time that nobody can set.
  package var elapsed: Duration

  package init(now: Instant, elapsed: Duration) {
    self.now = now
    self.elapsed = elapsed
  }
}

/// The machine's clocks: CLOCK_REALTIME and CLOCK_BOOTTIME (clock_gettime(2)).
package final class SystemSinkClock: SinkClock {
  package init() {}

  package var now: Instant {
    let time = Self.read(CLOCK_REALTIME)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  package var elapsed: Duration { Self.time(of: CLOCK_BOOTTIME) }

  /// What another clock says, for stamps that the kernel takes from it.
  package static func time(of clock: clockid_t) -> Duration {
    let time = read(clock)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}

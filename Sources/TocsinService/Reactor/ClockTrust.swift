import CLinux
import Glibc

/// What the machine knows about its own wall clock.
package struct ClockTrust: Hashable, Sendable {
  /// Whether the kernel says that something keeps the clock right.
  package var isSynchronised: Bool
  /// Whether a battery clock held a plausible time over power-off.
  package var hasBatteryClock: Bool

  package init(isSynchronised: Bool, hasBatteryClock: Bool) {
    self.isSynchronised = isSynchronised
    self.hasBatteryClock = hasBatteryClock
  }

  /// Reads both.
  ///
  /// - Parameters:
  ///   - kernelClock: the state and status words of adjtimex(2).
  ///   - batteryClock: the directory of the clock in sysfs.
  /// - Returns: what both say now; a machine that tells nothing is not trusted.
  package static func read(
    kernelClock: () -> (state: Int32, status: Int32) = kernelClock,
    batteryClock: String = "/sys/class/rtc/rtc0"
  ) -> ClockTrust {
    let (state, status) = kernelClock()
    // A board may have the chip without a battery: it then starts at its own epoch.
    let seconds = (try? readSmallFile("\(batteryClock)/since_epoch"))
      .flatMap { Int64($0.filter { !$0.isWhitespace }) }
    return ClockTrust(
      isSynchronised: state >= 0 && state != TIME_ERROR && status & STA_UNSYNC == 0,
      hasBatteryClock: seconds.map { $0 > plausibleSince } ?? false
    )
  }

  /// Asks the kernel, changing nothing; see adjtimex(2).
  package static func kernelClock() -> (state: Int32, status: Int32) {
    var request = timex()
    let state = adjtimex(&request)
    return (state, request.status)
  }

  /// 2024-01-01T00:00:00Z: before this program was written.
  private static let plausibleSince: Int64 = 1_704_067_200
}

import CLinux
import Glibc
import TocsinTime

/// One absolute deadline on one clock: a timerfd, and its alarm twin that also wakes a suspended
/// machine where that is allowed.
///
/// The twin is a descriptor of its own because an alarm clock armed for the far future makes older
/// kernels refuse to suspend: their battery clock cannot be set that far ahead. So it holds real
/// deadlines only, and none beyond `alarmHorizon`. See timerfd_create(2).
struct DeadlineTimer: ~Copyable {
  /// What reading an expired timer told.
  enum Reading {
    case nothing
    case expired
    /// The clock was set, or the machine slept: all that was derived from the clock is void.
    case stepped
  }

  let timer: Descriptor
  private let alarm: Descriptor
  private let clock: Int32
  private let noticesSteps: Bool
  private var armed: Int64??

  /// The latest instant a timer is set to, in seconds; the kernel's own end is in 2262.
  private static let farFuture: Int64 = 9_000_000_000
  private static let alarmHorizon: Int64 = 28 * 86_400 * 1_000_000

  /// - Parameters:
  ///   - clock: `CLOCK_REALTIME`, `CLOCK_BOOTTIME` or `CLOCK_MONOTONIC`.
  ///   - alarmClock: the clock of the twin; nil for none. Needs CAP_WAKE_ALARM, else there is none.
  ///   - noticesSteps: whether a step of the clock is reported; only the wall clock can.
  /// - Throws: `SystemError` if the process is out of descriptors.
  init(clock: Int32, alarmClock: Int32?, noticesSteps: Bool) throws(SystemError) {
    self.clock = clock
    self.noticesSteps = noticesSteps
    timer = Descriptor(
      owning: try check("timerfd_create") {
        timerfd_create(clock, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      }
    )
    alarm = Descriptor(
      owning: alarmClock.map {
        timerfd_create($0, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
      } ?? -1
    )
    armed = .none
  }

  /// The twin's descriptor, to be watched; nil where the machine may not be woken.
  var alarmDescriptor: Int32? {
    alarm.raw < 0 ? nil : alarm.raw
  }

  /// Sets the timer if the deadline, in microseconds of its clock, is not what it is set to.
  ///
  /// - Returns: true if the clock was stepped since the timer was last set or read.
  mutating func arm(_ deadline: Int64?) -> Bool {
    if case .some(let current) = armed, current == deadline { return false }
    armed = .some(deadline)
    var flags = Int32(TFD_TIMER_ABSTIME)
    if noticesSteps { flags |= Int32(TFD_TIMER_CANCEL_ON_SET) }
    // Without a deadline a timer that notices steps still has to run, or it would notice none.
    let isStepped = !Self.set(
      timer.raw,
      to: deadline ?? (noticesSteps ? Self.farFuture * 1_000_000 : nil),
      flags: flags
    )
    if let alarm = alarmDescriptor {
      let latest = microseconds(of: clock) + Self.alarmHorizon
      _ = Self.set(
        alarm,
        to: deadline.map { Swift.min($0, latest) },
        flags: Int32(TFD_TIMER_ABSTIME)
      )
    }
    return isStepped
  }

  /// Reads the timer and disarms it, so that the next `arm` sets it anew.
  mutating func read() -> Reading {
    var count: UInt64 = 0
    if Glibc.read(timer.raw, &count, 8) == 8 {
      armed = .none
      return .expired
    }
    if errno == ECANCELED {
      armed = .none
      return .stepped
    }
    return .nothing
  }

  /// Empties the alarm twin, whose only purpose was to wake the machine.
  mutating func readAlarm() {
    guard let alarm = alarmDescriptor else { return }
    var count: UInt64 = 0
    if Glibc.read(alarm, &count, 8) == 8 { armed = .none }
  }

  /// False if the kernel says that the clock was stepped; the timer is set nevertheless.
  private static func set(_ descriptor: Int32, to deadline: Int64?, flags: Int32) -> Bool {
    var value = itimerspec()
    if let deadline {
      // Zero would disarm and less is refused: what is long past is due at once.
      let due = max(deadline, 1)
      value.it_value.tv_sec = Int(min(due / 1_000_000, farFuture))
      value.it_value.tv_nsec = Int(due % 1_000_000) * 1_000
    }
    return timerfd_settime(descriptor, flags, &value, nil) == 0 || errno != ECANCELED
  }
}

/// Reads a clock, in microseconds.
func microseconds(of clock: Int32) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}

package import TocsinTime

/// An instant on the clock that counts since boot, suspend included (CLOCK_BOOTTIME), in microseconds.
package typealias BootTime = Int64

/// The occurrence of an alarm that is under way: counting down, paused, ringing or snoozed.
package struct Activity: Hashable, Sendable {
  // In this order it leaves no gaps: a daemon may hold many.

  /// With the alarm and its serial number, the occurrence's identity.
  package var origin: Instant
  /// When it is or was to ring by the wall clock.
  package var due: Instant
  /// The nominal local date, if a wall schedule made it.
  @PackedDate package var date: CivilDate?
  /// How often it was snoozed, by hand or by itself.
  package var snoozes: UInt16 = 0
  /// How often it has snoozed itself since somebody last answered.
  package var autoSnoozes: UInt16 = 0
  /// What it does now.
  package var phase: Phase
  /// Whether it rang on a clock that was to be trusted.
  package var isTrusted = true

  package enum Phase: Hashable, Sendable {
    case countdown(Countdown)
    case paused(total: Int64, elapsed: Int64, isSnooze: Bool)
    case alerting(Alert)
  }

  /// A countdown that runs.
  package struct Countdown: Hashable, Sendable {
    /// The most recent start or resume, by the wall clock.
    package var start: Instant
    /// When it ends.
    package var end: Deadline
    /// Its whole length, in microseconds.
    package var total: Int64
    /// Microseconds counted before `start`.
    package var elapsed: Int64
    package var isSnooze: Bool

    package init(start: Instant, end: Deadline, total: Int64, elapsed: Int64, isSnooze: Bool) {
      self.start = start
      self.end = end
      self.total = total
      self.elapsed = elapsed
      self.isSnooze = isSnooze
    }
  }

  /// A ring that goes on.
  package struct Alert: Hashable, Sendable {
    /// When it began, by the wall clock.
    package var fired: Instant
    /// Microseconds between due and fired.
    package var late: Int64
    /// When it ends unanswered; nil rings until answered.
    package var end: Deadline?

    package init(fired: Instant, late: Int64, end: Deadline?) {
      self.fired = fired
      self.late = late
      self.end = end
    }
  }

  /// The end of a running duration.
  package struct Deadline: Hashable, Sendable {
    /// By the wall clock, as of now; all that is left of it after a reboot.
    package var wall: Instant
    /// By the clock since boot; nil if the wall clock alone decides (the time before an alarm).
    package var boot: BootTime?

    package init(wall: Instant, boot: BootTime?) {
      self.wall = wall
      self.boot = boot
    }
  }

  package init(origin: Instant, date: CivilDate?, due: Instant, phase: Phase) {
    self.origin = origin
    self.due = due
    self.phase = phase
    self.date = date
  }

  package var isAlerting: Bool {
    if case .alerting = phase { true } else { false }
  }
}

package import TocsinModel
package import TocsinTime

/// All that must survive a restart about one alarm.
package struct AlarmRecord: Hashable, Sendable {
  /// What was asked for.
  package var alarm: Alarm
  /// The nominal local date of the occurrence it waits for; nil for fixed instants and timers.
  package var nextDate: CivilDate?
  /// The last occurrence that rang on a trusted clock.
  package var lastRing: LastRing?
  /// The nominal local date to leave out.
  package var skips: CivilDate?
  /// How many occurrences there were.
  package var serial: UInt32 = 0
  /// A one-shot that rang on an untrusted clock and was stopped: it waits for the clock's verdict.
  package var isRetired = false
  /// The occurrence under way.
  package var activity: Activity?

  /// Whether its deadline was found anew from the wall clock, because another boot stored it.
  package var isFromEarlierBoot = false

  package init(alarm: Alarm) {
    self.alarm = alarm
  }
}

extension AlarmRecord {
  /// Whether all its numbers are within what the engine can calculate with; a damaged file may hold any.
  package var isPlausible: Bool {
    guard alarm.hasPlausibleLengths else { return false }
    if case .fixed(let instant) = alarm.schedule, !instant.isPlausible { return false }
    return activity?.isPlausible ?? true
  }
}

extension Activity {
  fileprivate var isPlausible: Bool {
    guard origin.isPlausible, due.isPlausible else { return false }
    switch phase {
    case .countdown(let countdown):
      return countdown.start.isPlausible && countdown.end.isPlausible
        && Self.isPlausible(total: countdown.total, elapsed: countdown.elapsed)
    case .paused(let total, let elapsed, _):
      return Self.isPlausible(total: total, elapsed: elapsed)
    case .alerting(let alert):
      return alert.fired.isPlausible && alert.end?.isPlausible ?? true
        && alert.late.magnitude < Instant.limit
    }
  }

  private static func isPlausible(total: Int64, elapsed: Int64) -> Bool {
    (0...Int64(Instant.limit)).contains(total) && (0...total).contains(elapsed)
  }
}

extension Activity.Deadline {
  fileprivate var isPlausible: Bool {
    wall.isPlausible && (boot?.magnitude ?? 0) < Instant.limit
  }
}

extension Instant {
  /// Past the year 9999 in either direction, in microseconds.
  fileprivate static let limit: UInt64 = 1 << 58
  fileprivate var isPlausible: Bool { microseconds.magnitude < Self.limit }
}

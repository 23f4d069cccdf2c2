import TocsinTime

/// The arithmetic of countdowns, on the clock since boot wherever that counts.
extension Activity {
  /// Whether it counts, or is halted, after an alert.
  var isSnooze: Bool {
    switch phase {
    case .countdown(let countdown): countdown.isSnooze
    case .paused(_, _, let isSnooze): isSnooze
    case .alerting: false
    }
  }

  /// Whether it rings or has rung; not while it counts, or is halted, before its first ring.
  var hasRung: Bool { isAlerting || isSnooze }

  /// Whether it counts towards a time of the wall clock.
  var isBeforeAlarm: Bool {
    if case .countdown(let countdown) = phase { countdown.end.boot == nil } else { false }
  }

  /// The whole length of the countdown, in microseconds; nil while alerting.
  var total: Int64? {
    switch phase {
    case .countdown(let countdown): countdown.total
    case .paused(let total, _, _): total
    case .alerting: nil
    }
  }

  /// What has been counted of it, in microseconds.
  func elapsed(now: Now) -> Int64 {
    switch phase {
    case .countdown(let countdown):
      let left =
        countdown.end.boot.map { $0 - now.boot }
        ?? (countdown.end.wall.microseconds - now.wall.microseconds)
      return countdown.total - min(max(0, left), countdown.total)
    case .paused(_, let elapsed, _): return elapsed
    case .alerting: return 0
    }
  }

  /// The same occurrence, counting from now on.
  func counting(total: Int64, elapsed: Int64, isSnooze: Bool, now: Now) -> Activity {
    var activity = self
    let end = now.deadline(after: total - elapsed)
    activity.due = end.wall
    activity.phase = .countdown(
      Countdown(start: now.wall, end: end, total: total, elapsed: elapsed, isSnooze: isSnooze)
    )
    return activity
  }

  /// The same occurrence with a countdown of another length, running or halted as it was.
  func lengthened(to total: Int64, now: Now) -> Activity {
    let total = max(1_000, total)
    let counted = min(elapsed(now: now), total)
    guard case .paused = phase else {
      return counting(total: total, elapsed: counted, isSnooze: isSnooze, now: now)
    }
    var activity = self
    activity.phase = .paused(total: total, elapsed: counted, isSnooze: isSnooze)
    return activity
  }

  /// The same occurrence with its wall times as the wall clock reads now.
  func moved(now: Now) -> Activity {
    var activity = self
    switch phase {
    case .countdown(var countdown):
      guard let boot = countdown.end.boot else { return self }
      countdown.end.wall = Instant(microseconds: now.wall.microseconds + boot - now.boot)
      countdown.start = Instant(
        microseconds: countdown.end.wall.microseconds - (countdown.total - countdown.elapsed)
      )
      activity.due = countdown.end.wall
      activity.phase = .countdown(countdown)
    case .alerting(var alert):
      guard let boot = alert.end?.boot else { return self }
      alert.end?.wall = Instant(microseconds: now.wall.microseconds + boot - now.boot)
      activity.phase = .alerting(alert)
    case .paused: break
    }
    return activity
  }

  /// The same occurrence with its deadline worked out anew from the wall clock.
  func anchored(now: Now) -> Activity {
    var activity = self
    switch phase {
    case .countdown(var countdown):
      guard countdown.end.boot != nil else { return self }
      countdown.end.boot = now.boot + countdown.end.wall.microseconds - now.wall.microseconds
      activity.phase = .countdown(countdown)
    case .alerting(var alert):
      guard let end = alert.end else { return self }
      alert.end?.boot = now.boot + end.wall.microseconds - now.wall.microseconds
      activity.phase = .alerting(alert)
    case .paused: break
    }
    return activity
  }
}

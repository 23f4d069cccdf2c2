import TocsinEngine

/// What the service watches of the machine's clock.
extension AlarmService {
  /// The clock was set, or the machine slept: nothing is taken for granted any more.
  func clockStepped() {
    run(.clockStepped)
    readClockTrust()
  }

  /// Whether the wall clock was set since it was last looked at; slewing is slower than that.
  func hasStepped(_ moment: Now) -> Bool {
    let offset = moment.wall.microseconds - moment.boot
    defer { lastOffset = offset }
    return lastOffset.map { abs(offset - $0) > 500_000 } ?? false
  }

  /// While the clock is not to be trusted, and only then, it is looked at every few seconds.
  func watchClock() {
    clockTimer = nil
    readClockTrust()
    guard !table.isClockTrusted(now: now), !isStopping else { return }
    clockTimer = reactor.after(options.clockPolling) { [weak self] in
      self?.assumeIsolated { $0.watchClock() }
    }
  }

  /// Takes notice of whether the clock is to be trusted, and says so if it is not.
  func readClockTrust() {
    let trust = options.trust
    let isSynchronised = trust.isSynchronised || trust.hasBatteryClock
    if isSynchronised != table.isClockSynchronised { run(.clockSynchronised(isSynchronised)) }
    if isSynchronised {
      warnings[.clock] = nil
    } else if table.isClockTrusted(now: now) {
      warnings[.clock] =
        "the clock is not synchronised and has no battery; alarms go by it all the same"
    } else {
      warnings[.clock] =
        "the clock is not synchronised yet; alarms wait for it, countdowns do not"
    }
  }
}

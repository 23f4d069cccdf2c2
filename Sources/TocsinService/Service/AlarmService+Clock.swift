import TocsinEngine
import TocsinModel
import TocsinTime

/// What the service watches of the machine's clock and zone.
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

  /// Follows the zone's files, so that a new zone or new rules count at once.
  func watchZone() {
    // Where the clocks are not the machine's, what happens to the machine's zone means nothing.
    guard !options.clocks.areMovedByHand else { return }
    let watcher = self.watcher ?? PathWatcher(reactor: reactor)
    self.watcher = watcher
    watcher.removeAll()
    for path in SystemZones.watchedPaths(environment: options.environment) {
      watcher.watch(path) { [unowned service = self] in
        service.assumeIsolated { $0.zoneFilesChanged() }
      }
    }
    watcher.watch("/run/systemd/timesync/synchronized") { [unowned service = self] in
      service.assumeIsolated { $0.readClockTrust() }
    }
  }

  /// The machine's zone is another from now on, as if TZ had been so from the start.
  func setZone(_ name: String) throws(ZoneError) {
    _ = try zones.lookUp(name)
    options.environment["TZ"] = name
    zones = SystemZones(environment: options.environment)
    zoneFilesChanged()
  }

  private func zoneFilesChanged() {
    zones.forget()
    let zone: Zone?
    do throws(ZoneError) {
      zone = try zones.system()
      warnings[.zone] = nil
    } catch {
      zone = nil
      warnings[.zone] = "\(error)"
      options.log(.error, "\(error)")
    }
    if zone != table.zones.local {
      options.log(.info, "the time zone is \(zone?.name ?? "not known") now, or has new rules")
    }
    run(.zoneChanged(zone))
    watchZone()
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

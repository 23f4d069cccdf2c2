import Glibc
import TocsinEngine
import TocsinModel
import TocsinTime

/// What the service says of itself.
extension AlarmService {
  /// How it does; `next` is the next alarm of that program, of all if it is nil.
  func serviceStatus(for application: String?) -> ServiceStatus {
    var lines = warnings.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    if !reactor.wakesFromSuspend {
      lines.append("this machine will not be woken from suspend for an alarm")
    }
    lines += router.unheard.map { "an alarm rings and nobody has confirmed it: \($0)" }
    lines += presenceWarnings
    lines += (plugins?.switchedOff ?? []).map { "\($0) is switched off until the daemon ends" }
    var status = ServiceStatus(
      version: Version.text,
      pid: getpid(),
      alarms: table.count,
      alerting: table.alertingCount,
      limit: table.rules.alarmLimit,
      next: table.next(of: application)?.next,
      zone: table.zones.local?.name,
      clockTrusted: table.isClockTrusted(now: now),
      wakesFromSuspend: reactor.wakesFromSuspend,
      store: store.path,
      warnings: lines
    )
    if options.isEmbedded { status.embedded = true }
    let standing = router.standing
    if !standing.isEmpty { status.silences = standing }
    if router.unheardCount > 0 { status.unheard = router.unheardCount }
    return status
  }

  /// Who could not present an alarm if one rang now; nobody waits for an alarm to learn that.
  private var presenceWarnings: [String] {
    let sinks = sinkStatuses
    var lines = plugins?.refusals ?? []
    lines += sinks.filter { $0.state == "failed" }.map {
      "\($0.sink) cannot present: \($0.reason ?? "it ended")"
    }
    // A program that has its own alarms presents them itself.
    if !options.isEmbedded, sinks.allSatisfy({ $0.state == "off" }) {
      lines.append("nobody would present an alarm: no plugin of plugins.conf is on and none joined")
    }
    return lines
  }

  /// One line for the service manager; titles are private.
  var statusLine: String {
    let alerting = table.alertingCount
    guard alerting == 0 else { return alerting == 1 ? "1 alarm rings" : "\(alerting) alarms ring" }
    guard table.count > 0 else { return "no alarm is set" }
    let count = table.count == 1 ? "1 alarm" : "\(table.count) alarms"
    guard let next = nextDeadline else { return count }
    return "\(count), next at \(next.rfc3339)"
  }

  /// The first thing that comes due, by whichever clock, at no cost.
  private var nextDeadline: Instant? {
    let moment = now
    let deadlines = table.deadlines(now: moment)
    let boot = deadlines.boot.map { moment.wall + .microseconds($0 - moment.boot) }
    guard let wall = deadlines.wall else { return boot }
    return boot.map { min($0, wall) } ?? wall
  }

  /// Keeps the service manager's line right, where there is one; a little late, so that a storm costs
  /// no line for each alarm.
  func reportStatus() {
    guard notification.isWanted, statusTimer == nil, !isStopping else { return }
    statusTimer = reactor.after(.milliseconds(100)) { [weak self] in
      self?.assumeIsolated { $0.sendStatus() }
    }
  }

  private func sendStatus() {
    statusTimer = nil
    let line = statusLine
    guard line != reportedStatus else { return }
    reportedStatus = line
    try? notification.send(.status(line))
  }
}

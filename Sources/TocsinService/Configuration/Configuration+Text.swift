import TocsinModel
import TocsinTime

extension Configuration {
  /// The configuration as plugins.conf would say it: every key of the daemon with the value in force.
  package var text: String {
    var lines = ["[daemon]"] + daemon.lines
    if access != AccessSettings() { lines += ["", "[access]"] + access.lines }
    for plugin in plugins { lines += ["", "[plugin \(plugin.name)]"] + plugin.lines }
    for route in routes { lines += ["", "[route \(route.name)]"] + route.lines }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension DaemonSettings {
  fileprivate var lines: [String] {
    [
      "snooze = \(snooze.written)", "ring-for = \(ringFor?.written ?? "never")",
      "auto-snooze = \(autoSnooze)", "late-grace = \(lateGrace.written)",
      "alarm-limit = \(alarmLimit)", "history = \(history.written)",
      "clock-wait = \(clockWait.written)",
      "snooze-limit = \(snoozeLimit.map(String.init) ?? "none")",
    ] + (group.map { ["group = \($0)"] } ?? [])
  }
}

extension PluginSettings {
  fileprivate var lines: [String] {
    (isHook ? hook.lines + ["enabled = \(isEnabled ? "yes" : "no")"] : runningLines) + sandbox.lines
      + settings.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
  }
}

extension PluginSettings {
  private var runningLines: [String] {
    [
      "run = \(run.map(ValueText.quoted).joined(separator: " "))",
      "stdout = \(getsStandardOutput ? "yes" : "no")", "enabled = \(isEnabled ? "yes" : "no")",
      "ping = \(ping?.written ?? "never")", "receipt-timeout = \(receiptTimeout.written)",
    ]
  }
}

extension Duration {
  var written: String { ValueText.describe(microseconds) }
}

/// The `[daemon]` section: what holds for every alarm that does not say otherwise.
package struct DaemonSettings: Hashable, Sendable {
  /// How long a snooze is.
  package var snooze: Duration = .seconds(9 * 60)
  /// How long an alarm rings unanswered; nil until it is answered.
  package var ringFor: Duration? = .seconds(10 * 60)
  /// How often an alarm snoozes itself unanswered before it is missed.
  package var autoSnooze = 3
  /// How late an alarm may still ring.
  package var lateGrace: Duration = .seconds(30 * 60)
  /// How many alarms are accepted.
  package var alarmLimit = 10_000
  /// How long the record of what happened is kept.
  package var history: Duration = .seconds(90 * 86_400)
  /// How long alarms on wall time wait for a clock that is not to be trusted yet.
  package var clockWait: Duration = .seconds(10 * 60)
  /// How often an alarm may be snoozed by hand; nil without end.
  package var snoozeLimit: Int?
  /// The group that may use the control socket; nil for none but the daemon's own user.
  package var group: String?

  package init() {}
}

/// A `[plugin NAME]` section: a program that presents alarms or takes answers to them.
package struct PluginSettings: Hashable, Sendable {
  /// Its name, which routes and statuses use.
  package var name: String
  /// The program and its arguments, which is looked for beside the daemon, in libexec, then in PATH;
  /// empty for programs that run once.
  package var run: [String]
  /// Whether it gets the daemon's standard output as descriptor 3.
  package var getsStandardOutput = false
  /// Whether it is started at all.
  package var isEnabled = true
  /// How often it is asked whether it lives; nil only when it does not confirm an event.
  package var ping: Duration?
  /// How long it may take to confirm an event or to answer a ping.
  package var receiptTimeout: Duration = .seconds(5)
  /// What is run once for an event, if that is what it is.
  package var hook = HookSettings()
  /// What its process may do and see.
  package var sandbox = SandboxSettings()
  /// All other keys, which only the sink understands.
  package var settings: [String: String] = [:]

  package init(name: String, run: [String]) {
    self.name = name
    self.run = run
  }
}

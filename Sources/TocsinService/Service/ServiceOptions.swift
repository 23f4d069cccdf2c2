import TocsinEngine
import TocsinTime

/// What a service is started with; everything outside comes in here.
package struct ServiceOptions: Sendable {
  /// What plugins.conf says.
  package var configuration = Configuration()
  /// Reads plugins.conf again, for `reload`; throws all that is wrong with it.
  package var reload: @Sendable () throws(ConfigurationError) -> Configuration
  /// Where alarms are kept.
  package var store: Store.Location
  /// The control socket's path; nil serves only connections that are handed over.
  package var socket: String?
  /// Whether alarms ring; false only answers questions about what is stored.
  package var rings = true
  /// Whether sinks that print are left to the program the service runs in.
  package var isEmbedded = false
  /// The environment: TZ, TZDIR, NOTIFY_SOCKET and others.
  package var environment: [String: String]
  /// Where plugins are looked for first.
  package var programDirectory: String
  /// The clocks.
  package var clocks: any Clocks
  /// Whether the wall clock can be trusted, as it is now.
  package var clockTrust: @Sendable () -> ClockTrust
  /// What clients may use up.
  var limits = ControlLimits()
  /// How long a store that refused changes is left alone.
  var storeRetry: Duration = .seconds(30)
  /// How often a clock that is not trusted is looked at.
  var clockPolling: Duration = .seconds(5)
  /// How long a sink's answer is waited for, by the machine's clock, before time that is moved by hand
  /// goes on.
  var answerPatience: Duration = .seconds(5)
  /// Where lines for the log go.
  package var log: Log

  /// The options of a service on this machine, with a store in memory and no socket.
  package init(environment: [String: String], programDirectory: String) {
    reload = { () throws(ConfigurationError) in Configuration() }
    store = .memory
    self.environment = environment
    self.programDirectory = programDirectory
    clocks = SystemClocks()
    clockTrust = { ClockTrust.read() }
    log = Log(environment: environment)
  }
}

extension ServiceOptions {
  /// Whether the wall clock can be trusted; one that is moved by hand is right by definition.
  var trust: ClockTrust {
    clocks.areMovedByHand
      ? ClockTrust(isSynchronised: true, hasBatteryClock: true) : clockTrust()
  }
}

extension DaemonSettings {
  /// What is no lateness yet, as no machine wakes at the instant.
  private static let promptness = Duration.seconds(1)

  /// The engine's rules where time is real.
  var realRules: EngineRules {
    var rules = rules
    rules.lateGrace = max(rules.lateGrace, Self.promptness.microseconds)
    return rules
  }

  /// The engine's rules, as the configuration has them.
  var rules: EngineRules {
    var rules = EngineRules()
    rules.snooze = snooze.microseconds
    rules.ringFor = ringFor?.microseconds ?? 0
    rules.autoSnooze = autoSnooze
    rules.snoozeLimit = snoozeLimit
    rules.lateGrace = lateGrace.microseconds
    rules.clockWait = clockWait.microseconds
    rules.alarmLimit = alarmLimit
    return rules
  }
}

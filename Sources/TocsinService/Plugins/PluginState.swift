package import TocsinModel

/// The life of one plugin's process, without the process: what happened goes in, what to do comes out.
///
/// Times are microseconds of one steady clock. The shell calls `handle(.deadline)` when `deadline`
/// has come; there is none while a plugin is idle, so an idle machine is not woken.
package struct PluginState: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    case start
    /// The program runs.
    case spawned
    /// It does not; `isMissing` if no retry helps until somebody installs it.
    case notSpawned(reason: String, isMissing: Bool)
    /// It said what it is.
    case ready
    /// An event that it has to confirm was handed to it.
    case sent(seq: UInt64, OccurrenceID, isAlert: Bool)
    /// All that is presented was handed to it anew; what it owed before is void.
    case synchronised
    /// It confirmed an event, or said that it could not present it.
    case answered(seq: UInt64)
    case pong
    /// It said that something went wrong, or wrote what is no message.
    case complained(String)
    /// Whether it presents an alert, or would if it were ready.
    case alerting(Bool)
    /// It is needed, by an alert or a person.
    case needed
    /// It closed the end of a pipe without which it is of no use.
    case pipeClosed
    /// It is gone; `isFinal` if it said that no retry helps until somebody changes something.
    case exited(reason: String, isFinal: Bool = false)
    case deadline
    case stop
  }

  package enum Effect: Hashable, Sendable {
    case spawn
    case hello
    case sync
    case ping
    /// Ask it to withdraw everything, and close its input.
    case bye
    /// SIGTERM to its process group.
    case terminate
    /// SIGKILL to its process group.
    case kill
    case log(LogLevel, String)
    /// It was stopped and is gone.
    case finished
  }

  /// The times that are rules, in microseconds.
  package enum Rule {
    /// How often it is asked whether it lives while it presents an alert.
    package static let alertingPing: Int64 = 2_000_000
    package static let greeting: Int64 = 5_000_000
    package static let firstDelay: Int64 = 100_000
    package static let lastDelay: Int64 = 30_000_000
    /// The longest wait while it has an alert to present.
    package static let lastAlertingDelay: Int64 = 5_000_000
    /// A run shorter than this ended at once.
    package static let instant: Int64 = 1_000_000
    /// So many runs in a row that ended at once are no accident.
    package static let instantLoop = 3
    /// So many runs in a row that were not stable are a loop: it counts as failed.
    package static let loop = 5
    package static let stableAfter: Int64 = 60_000_000
    package static let firstMissingDelay: Int64 = 30_000_000
    package static let lastMissingDelay: Int64 = 600_000_000
    package static let afterPipeClosed: Int64 = 1_000_000
    package static let afterBye: Int64 = 500_000
    package static let afterTerminate: Int64 = 1_000_000
  }

  enum Phase: Hashable, Sendable {
    case idle
    case spawning
    /// `hello` was sent; `ready` has to come until then.
    case greeting(until: Int64)
    case ready(Liveness)
    /// A pipe is closed; it may end by itself until then.
    case doomed(until: Int64)
    /// Killed, but not yet gone.
    case dying
    case waiting(until: Int64)
    case leaving(Farewell)
    case finished
  }

  enum Farewell: Hashable, Sendable {
    case bye(until: Int64)
    case terminate(until: Int64)
    case kill
  }

  /// What a running plugin owes.
  struct Liveness: Hashable, Sendable {
    /// Since when it owes an answer and gives none; newer events of the same occurrence change nothing.
    var silentSince: Int64?
    /// The alert of which was told that it was not confirmed in time.
    var late: Late?
    /// When it was asked whether it lives.
    var pingedAt: Int64?
    var nextPing: Int64?
  }

  struct Late: Hashable, Sendable {
    var seq: UInt64
    var occurrence: OccurrenceID
  }

  private let interval: Int64?
  let timeout: Int64
  var phase = Phase.idle
  var startedAt: Int64 = .min / 2
  /// How many runs in a row were not stable.
  var failures = 0
  /// How many in a row ended at once.
  var instants = 0
  /// How often in a row it was missing, or ended and said that no retry helps.
  var refusals = 0
  var loggedReason: String?
  /// Whether it was logged that it does not confirm, and it has confirmed nothing since.
  var hasLoggedSilence = false
  /// The events it was handed in this run; beside `phase`, so that a storm of them copies nothing.
  var owed = OwedReceipts()
  /// Whether it has an alert to present.
  var isAlerting = false
  /// Whether it said that it is ready, in this run.
  var wasReady = false
  /// It was needed while it could not take events and was not waiting either.
  var isNeeded = false

  /// How often it was started again.
  package private(set) var restarts = 0
  private var starts = 0
  /// What went wrong last.
  package internal(set) var reason: String?

  /// - Parameters:
  ///   - pingInterval: how often to ask whether it lives; nil only when it owes an answer.
  ///   - timeout: how long an answer may take.
  package init(pingInterval: Int64?, timeout: Int64) {
    interval = pingInterval
    self.timeout = timeout
  }

  /// Whether events may be handed to it.
  package var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  /// Whether it was killed and is not yet gone.
  var isDying: Bool { phase == .dying || phase == .leaving(.kill) }

  /// Whether it was handed an event of this number and has not answered.
  func owes(_ seq: UInt64) -> Bool { owed.contains(seq) }

  /// Its state as `SinkStatus` names it.
  package var status: String {
    switch phase {
    case .idle, .spawning, .greeting: "starting"
    case .ready: "ready"
    case .doomed, .dying, .leaving, .finished: "waiting"
    case .waiting: isFailed ? "failed" : "waiting"
    }
  }

  /// Whether it will not come soon; until it is ready again.
  var isFailed: Bool { refusals > 0 || failures >= Rule.loop }

  /// What may be expected of it, given what it said of itself.
  package func condition(_ ready: SinkReport.Ready?) -> PluginCondition {
    if isReady, let ready { return .ready(ready) }
    return isFailed ? .failed(reason ?? "ended") : .starting
  }

  /// How often to ask whether it lives; nil for never.
  var pingInterval: Int64? {
    guard isAlerting else { return interval }
    return min(interval ?? Rule.alertingPing, Rule.alertingPing)
  }

  /// When to call `handle(.deadline)`; nil for never.
  package var deadline: Int64? {
    switch phase {
    case .idle, .spawning, .dying, .leaving(.kill), .finished: nil
    case .greeting(let until), .doomed(let until), .waiting(let until): until
    case .leaving(.bye(let until)), .leaving(.terminate(let until)): until
    case .ready(let liveness):
      if let pingedAt = liveness.pingedAt {
        pingedAt + timeout
      } else {
        [liveness.silentSince.map { $0 + timeout }, liveness.nextPing].compactMap(\.self).min()
      }
    }
  }

  /// Takes one event and says what to do, in order.
  package mutating func handle(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .start: start(now)
    case .spawned: spawned(now)
    case .notSpawned(let reason, let isMissing): notSpawned(reason, isMissing, now)
    case .ready: becomeReady(now)
    case .sent(let seq, let occurrence, let isAlert): sent(seq, occurrence, isAlert, now)
    case .synchronised: synchronised()
    case .answered(let seq): answered(seq, now)
    case .pong: heard(now)
    case .complained(let reason): complained(reason)
    case .alerting(let isAlerting): alerting(isAlerting, now)
    case .needed: needed(now)
    case .pipeClosed: pipeClosed(now)
    case .exited(let reason, let isFinal): exited(reason, isFinal, now)
    case .deadline: deadlineReached(now)
    case .stop: stop(now)
    }
  }

  // MARK: Starting

  mutating func start(_ now: Int64) -> [Effect] {
    switch phase {
    case .idle, .waiting:
      phase = .spawning
      isNeeded = false
      wasReady = false
      startedAt = now
      if starts > 0 { restarts += 1 }
      return [.spawn]
    case .spawning, .greeting, .ready, .doomed, .dying, .leaving, .finished:
      return []
    }
  }

  private mutating func spawned(_ now: Int64) -> [Effect] {
    guard case .spawning = phase else { return [] }
    starts += 1
    hasLoggedSilence = false
    phase = .greeting(until: now + Rule.greeting)
    return [.hello]
  }

  private mutating func notSpawned(_ reason: String, _ isMissing: Bool, _ now: Int64) -> [Effect] {
    guard case .spawning = phase else { return [] }
    self.reason = reason
    return isMissing ? giveUp(reason, now) : wait(reason, now)
  }

  private mutating func becomeReady(_ now: Int64) -> [Effect] {
    guard case .greeting = phase else { return [] }
    refusals = 0
    wasReady = true
    owed = OwedReceipts()
    phase = .ready(Liveness(nextPing: pingInterval.map { now + $0 }))
    return [.sync]
  }

  /// Who needs it does not wait for a back-off, but a crash loop is not fed faster than at first.
  ///
  /// Left to the deadline, so that a start never comes before other plugins have had their event.
  private mutating func needed(_ now: Int64) -> [Effect] {
    if case .waiting(let until) = phase {
      phase = .waiting(until: min(until, max(now, startedAt + Rule.firstDelay)))
    } else {
      isNeeded = true
    }
    return []
  }
}

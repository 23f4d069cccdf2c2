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
    case sent(seq: UInt64)
    /// It confirmed an event, or said that it could not present it.
    case answered(seq: UInt64)
    case pong
    /// It said that something went wrong, or wrote what is no message.
    case complained(String)
    /// An alert is to be presented.
    case wanted
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
    package static let greeting: Int64 = 5_000_000
    package static let firstDelay: Int64 = 100_000
    package static let lastDelay: Int64 = 30_000_000
    package static let stableAfter: Int64 = 60_000_000
    package static let firstMissingDelay: Int64 = 30_000_000
    package static let lastMissingDelay: Int64 = 600_000_000
    package static let afterPipeClosed: Int64 = 1_000_000
    package static let afterBye: Int64 = 500_000
    package static let afterTerminate: Int64 = 1_000_000
  }

  private enum Phase: Hashable, Sendable {
    case idle
    case spawning
    /// `hello` was sent; `ready` has to come until then.
    case greeting(until: Int64)
    case ready(Liveness)
    /// A pipe is closed; it may end by itself until then.
    case doomed(until: Int64)
    /// Killed, but not yet gone.
    case dying
    case waiting(until: Int64, isMissing: Bool)
    case leaving(Farewell)
    case finished
  }

  private enum Farewell: Hashable, Sendable {
    case bye(until: Int64)
    case terminate(until: Int64)
    case kill
  }

  /// What a running plugin owes.
  private struct Liveness: Hashable, Sendable {
    var lastSent: UInt64 = 0
    /// Since when an event waits for its confirmation.
    var unconfirmedSince: Int64?
    /// When it was asked whether it lives.
    var pingedAt: Int64?
    var nextPing: Int64?
  }

  private let pingInterval: Int64?
  private let timeout: Int64
  private var phase = Phase.idle
  private var startedAt: Int64 = .min / 2
  private var failures = 0
  /// How often in a row it was missing, or ended and said that no retry helps.
  private var refusals = 0
  private var loggedReason: String?
  private var hasLoggedSilence = false
  /// An alert came while it could not take it and was not waiting either.
  private var isWanted = false

  /// How often it was started again.
  package private(set) var restarts = 0
  private var starts = 0
  /// What went wrong last.
  package private(set) var reason: String?

  /// - Parameters:
  ///   - pingInterval: how often to ask whether it lives; nil only when it owes an answer.
  ///   - timeout: how long an answer may take.
  package init(pingInterval: Int64?, timeout: Int64) {
    self.pingInterval = pingInterval
    self.timeout = timeout
  }

  /// Whether events may be handed to it.
  package var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  /// Its state as `SinkStatus` names it.
  package var status: String {
    switch phase {
    case .idle, .spawning, .greeting: "starting"
    case .ready: "ready"
    case .doomed, .dying, .waiting(_, isMissing: false), .leaving: "waiting"
    case .waiting(_, isMissing: true), .finished: "failed"
    }
  }

  /// When to call `handle(.deadline)`; nil for never.
  package var deadline: Int64? {
    switch phase {
    case .idle, .spawning, .dying, .leaving(.kill), .finished: nil
    case .greeting(let until), .doomed(let until), .waiting(let until, _): until
    case .leaving(.bye(let until)), .leaving(.terminate(let until)): until
    case .ready(let liveness):
      if let pingedAt = liveness.pingedAt {
        pingedAt + timeout
      } else {
        [liveness.unconfirmedSince.map { $0 + timeout }, liveness.nextPing].compactMap(\.self).min()
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
    case .sent(let seq): sent(seq, now)
    case .answered(let seq): answered(seq, now)
    case .pong: pong(now)
    case .complained(let reason): complained(reason)
    case .wanted: wanted(now)
    case .pipeClosed: pipeClosed(now)
    case .exited(let reason, let isFinal): exited(reason, isFinal, now)
    case .deadline: deadlineReached(now)
    case .stop: stop(now)
    }
  }

  // MARK: Starting

  private mutating func start(_ now: Int64) -> [Effect] {
    switch phase {
    case .idle, .waiting:
      phase = .spawning
      isWanted = false
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
    phase = .ready(Liveness(nextPing: pingInterval.map { now + $0 }))
    return [.sync]
  }

  /// An alert does not wait for a back-off, but a crash loop is not fed faster than the first one.
  private mutating func wanted(_ now: Int64) -> [Effect] {
    guard case .waiting(let until, let isMissing) = phase else {
      isWanted = true
      return []
    }
    let soon = min(until, max(now, startedAt + Rule.firstDelay))
    if soon <= now { return start(now) }
    phase = .waiting(until: soon, isMissing: isMissing)
    return []
  }

  // MARK: Living

  private mutating func sent(_ seq: UInt64, _ now: Int64) -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    liveness.lastSent = max(liveness.lastSent, seq)
    if liveness.unconfirmedSince == nil { liveness.unconfirmedSince = now }
    phase = .ready(liveness)
    return []
  }

  private mutating func answered(_ seq: UInt64, _ now: Int64) -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    // An older event's answer proves life; a newer one's covers those it replaced.
    liveness.unconfirmedSince =
      seq >= liveness.lastSent ? nil : liveness.unconfirmedSince.map { _ in now }
    liveness.pingedAt = nil
    phase = .ready(liveness)
    if seq >= liveness.lastSent { reason = nil }
    return []
  }

  private mutating func complained(_ reason: String) -> [Effect] {
    self.reason = reason
    return []
  }

  private mutating func pong(_ now: Int64) -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    let isOverdue = liveness.unconfirmedSince.map { now - $0 >= timeout } ?? false
    liveness.pingedAt = nil
    liveness.nextPing = pingInterval.map { now + $0 }
    // It lives and does not confirm: that is reported, but killing it would silence what it shows.
    if isOverdue { liveness.unconfirmedSince = nil }
    phase = .ready(liveness)
    guard isOverdue else { return [] }
    reason = "has not confirmed event \(liveness.lastSent)"
    guard !hasLoggedSilence else { return [] }
    hasLoggedSilence = true
    return [.log(.warning, "has not confirmed event \(liveness.lastSent)")]
  }

  private mutating func deadlineReached(_ now: Int64) -> [Effect] {
    guard let deadline, deadline <= now else { return [] }
    switch phase {
    case .idle, .spawning, .dying, .finished, .leaving(.kill):
      return []
    case .greeting:
      return kill("did not say ready in time", now)
    case .doomed:
      return kill("closed its pipe but did not end", now)
    case .waiting:
      return start(now)
    case .ready(var liveness):
      if liveness.pingedAt != nil { return kill("did not answer in time", now) }
      liveness.pingedAt = now
      liveness.nextPing = nil
      phase = .ready(liveness)
      return [.ping]
    case .leaving(.bye):
      phase = .leaving(.terminate(until: now + Rule.afterTerminate))
      return [.terminate]
    case .leaving(.terminate):
      phase = .leaving(.kill)
      return [.kill]
    }
  }

  // MARK: Ending

  private mutating func pipeClosed(_ now: Int64) -> [Effect] {
    switch phase {
    case .greeting, .ready:
      phase = .doomed(until: now + Rule.afterPipeClosed)
      return []
    case .idle, .spawning, .doomed, .dying, .waiting, .leaving, .finished:
      return []
    }
  }

  private mutating func kill(_ reason: String, _ now: Int64) -> [Effect] {
    phase = .dying
    self.reason = reason
    return [.kill]
  }

  private mutating func exited(_ exit: String, _ isFinal: Bool, _ now: Int64) -> [Effect] {
    switch phase {
    case .greeting, .ready, .doomed:
      reason = exit
      return isFinal ? giveUp(exit, now) : wait(exit, now)
    case .dying:
      return wait(reason ?? exit, now)
    case .leaving:
      phase = .finished
      return [.finished]
    case .idle, .spawning, .waiting, .finished:
      return []
    }
  }

  private mutating func wait(_ why: String, _ now: Int64) -> [Effect] {
    if now - startedAt >= Rule.stableAfter { failures = 0 }
    let delay = isWanted ? Rule.firstDelay : Self.doubled(Rule.firstDelay, failures, Rule.lastDelay)
    failures += 1
    phase = .waiting(until: now + delay, isMissing: false)
    return note(.warning, why)
  }

  /// Tries again only now and then: somebody has to do something first.
  private mutating func giveUp(_ why: String, _ now: Int64) -> [Effect] {
    let delay = Self.doubled(Rule.firstMissingDelay, refusals, Rule.lastMissingDelay)
    refusals += 1
    phase = .waiting(until: now + delay, isMissing: true)
    return note(.error, why)
  }

  private mutating func stop(_ now: Int64) -> [Effect] {
    switch phase {
    case .idle, .spawning, .waiting:
      phase = .finished
      return [.finished]
    case .greeting, .ready, .doomed:
      phase = .leaving(.bye(until: now + Rule.afterBye))
      return [.bye]
    case .dying:
      phase = .leaving(.kill)
      return []
    case .leaving, .finished:
      return []
    }
  }

  /// Logs a reason when it is new, and ever more rarely while it stays the same.
  private mutating func note(_ level: LogLevel, _ reason: String) -> [Effect] {
    let count = max(failures, refusals)
    let isNews = reason != loggedReason || count & (count - 1) == 0
    loggedReason = reason
    return isNews ? [.log(level, reason)] : []
  }

  private static func doubled(_ first: Int64, _ times: Int, _ last: Int64) -> Int64 {
    min(last, first << Int64(min(times, 20)))
  }
}

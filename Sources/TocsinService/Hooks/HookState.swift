package import TocsinModel
package import TocsinTime

/// Which programs run for events, without the programs: what happened goes in, what to do comes out.
///
/// Times are microseconds of one steady clock. The shell calls `handle(.deadline)` when `deadline` has
/// come. What waits is bounded, and of one occurrence only the newest state waits.
package struct HookState: Sendable {
  /// An event that a program may be run for.
  package struct Job: Hashable, Sendable {
    package var event: HookSettings.Event
    package var seq: UInt64
    package var occurrence: OccurrenceID?
    /// When the alert began; nil for other events.
    package var fired: Instant?
    /// Whether the alert went on before the daemon was started again.
    package var isResumed = false
    /// What the program reads.
    package var line: [UInt8] = []
    /// What it finds in its environment.
    package var variables: [String: String] = [:]

    /// Whether it says how an occurrence stands, so that it takes the place of what was said before;
    /// what is told once takes no place.
    var isState: Bool {
      switch event {
      case .alert, .countdown, .paused, .cleared: true
      case .missed, .notice: false
      }
    }
  }

  package enum Event: Hashable, Sendable {
    case occurred(Job)
    /// A program could not be started; `isPassing` if a moment later it may.
    case notStarted(run: Int, reason: String, isPassing: Bool = false)
    /// It has ended, and why that is no success; nil if it is one.
    case ended(run: Int, failure: String?)
    case deadline
    case stop
  }

  package enum Effect: Hashable, Sendable {
    case run(Int, Job)
    /// SIGTERM to its process group.
    case terminate(Int)
    /// SIGKILL to its process group.
    case kill(Int)
    case presented(seq: UInt64)
    case failed(seq: UInt64, reason: String)
    case log(LogLevel, String)
    /// It was stopped and nothing runs any more.
    case finished
  }

  /// What is a rule; times in microseconds.
  package enum Rule {
    package static let waiting = 64
    package static let retry: Int64 = 100_000
    package static let afterStop: Int64 = 500_000
    package static let afterTerminate: Int64 = 1_000_000
    /// Alerts whose program has run, by which one that is told again is known.
    static let remembered = 1024
  }

  private struct Run: Sendable {
    var job: Job
    var until: Int64
    var isOverdue = false
    /// When to try again to start it; nil while it runs.
    var retry: Int64?
  }

  private enum Farewell: Hashable, Sendable {
    case patience(until: Int64)
    case terminate(until: Int64)
    case kill
  }

  private let events: Set<HookSettings.Event>
  private let atOnce: Int
  private let timeLimit: Int64
  private var waiting: [Job] = []
  private var running: [Int: Run] = [:]
  private var lastRun = 0
  /// For which alert of an occurrence a program has run, by when it began.
  private var told: [OccurrenceID: Instant?] = [:]
  private var farewell: Farewell?

  /// How many events found no room.
  package private(set) var dropped = 0
  /// What went wrong last; nil once something went well.
  package private(set) var reason: String?

  package init(_ settings: HookSettings) {
    events = Set(settings.commands.keys)
    atOnce = settings.atOnce
    timeLimit = settings.timeLimit.microseconds
  }

  /// When to call `handle(.deadline)`; nil for never.
  package var deadline: Int64? {
    let limit = running.values.lazy.filter { !$0.isOverdue }.map { $0.retry ?? $0.until }.min()
    switch farewell {
    case .patience(let until), .terminate(let until): return min(until, limit ?? until)
    case nil, .kill: return limit
    }
  }

  /// Takes one event and says what to do, in order.
  package mutating func handle(_ event: Event, now: Int64) -> [Effect] {
    switch event {
    case .occurred(let job): farewell == nil ? occurred(job, now) : []
    case .notStarted(let run, let reason, let isPassing): notStarted(run, reason, isPassing, now)
    case .ended(let run, let failure): ended(run, failure, now)
    case .deadline: deadlineReached(now)
    case .stop: stop(now)
    }
  }

  // MARK: Events

  private mutating func occurred(_ job: Job, _ now: Int64) -> [Effect] {
    if let occurrence = job.occurrence, job.isState {
      waiting.removeAll { $0.occurrence == occurrence && $0.isState }
      if job.event != .alert { told[occurrence] = nil }
    }
    if job.event == .alert, job.isResumed { note(job) }
    if hasBeenTold(job) { return [.presented(seq: job.seq)] }
    guard events.contains(job.event) else { return [] }
    guard waiting.count < Rule.waiting else { return drop(job) }
    waiting.append(job)
    return startNext(now)
  }

  private mutating func drop(_ job: Job) -> [Effect] {
    dropped += 1
    reason = "\(Rule.waiting) events wait already"
    // Ever more rarely, as there may be many.
    let isNews = dropped & (dropped - 1) == 0
    return [.failed(seq: job.seq, reason: reason ?? "")]
      + (isNews ? [.log(.warning, "\(dropped) events dropped: \(Rule.waiting) wait already")] : [])
  }

  /// Starts what may start: the oldest first, and of one occurrence one at a time.
  private mutating func startNext(_ now: Int64) -> [Effect] {
    var effects: [Effect] = []
    while running.count < atOnce {
      let busy = Set(running.values.compactMap(\.job.occurrence))
      guard
        let index = waiting.firstIndex(where: { job in
          job.occurrence.map { !busy.contains($0) } ?? true
        })
      else { break }
      let job = waiting.remove(at: index)
      if hasBeenTold(job) {
        effects.append(.presented(seq: job.seq))
      } else {
        lastRun += 1
        running[lastRun] = Run(job: job, until: now + timeLimit)
        effects.append(.run(lastRun, job))
      }
    }
    return effects
  }

  // MARK: Runs

  /// A program that is just being replaced is there a moment later.
  private mutating func notStarted(
    _ number: Int,
    _ reason: String,
    _ isPassing: Bool,
    _ now: Int64
  ) -> [Effect] {
    let retry = now + Rule.retry
    guard isPassing, farewell == nil, let run = running[number], retry < run.until else {
      return ended(number, reason, now)
    }
    running[number]?.retry = retry
    return []
  }

  private mutating func ended(_ number: Int, _ failure: String?, _ now: Int64) -> [Effect] {
    guard let run = running.removeValue(forKey: number) else { return [] }
    let late = "took longer than \(ValueText.describe(timeLimit))"
    reason = run.isOverdue ? late : failure
    var effects: [Effect] = []
    if let reason {
      effects.append(.failed(seq: run.job.seq, reason: reason))
      // What became of an alert is recorded by whoever takes the receipt.
      if run.job.event != .alert {
        effects.append(.log(.warning, "\(run.job.event.key): \(reason)"))
      }
    } else {
      if run.job.event == .alert { note(run.job) }
      effects.append(.presented(seq: run.job.seq))
    }
    if farewell != nil { return effects + (running.isEmpty ? [.finished] : []) }
    return effects + startNext(now)
  }

  private mutating func deadlineReached(_ now: Int64) -> [Effect] {
    var effects: [Effect] = []
    for (number, run) in running.sorted(by: { $0.key < $1.key })
    where !run.isOverdue && (run.retry ?? run.until) <= now {
      running[number]?.isOverdue = run.retry == nil
      running[number]?.retry = nil
      effects.append(run.retry == nil ? .kill(number) : .run(number, run.job))
    }
    switch farewell {
    case .patience(let until) where until <= now:
      farewell = .terminate(until: now + Rule.afterTerminate)
      effects += running.keys.sorted().map { .terminate($0) }
    case .terminate(let until) where until <= now:
      farewell = .kill
      effects += running.keys.sorted().map { .kill($0) }
    case nil, .patience, .terminate, .kill:
      break
    }
    return effects
  }

  private mutating func stop(_ now: Int64) -> [Effect] {
    guard farewell == nil else { return [] }
    waiting = []
    running = running.filter { $0.value.retry == nil }
    farewell = .patience(until: now + Rule.afterStop)
    return running.isEmpty ? [.finished] : []
  }

  // MARK: What was told

  private mutating func note(_ job: Job) {
    guard let occurrence = job.occurrence else { return }
    if told.count >= Rule.remembered { told = [:] }
    told[occurrence] = .some(job.fired)
  }

  private func hasBeenTold(_ job: Job) -> Bool {
    guard job.event == .alert, let occurrence = job.occurrence, let fired = told[occurrence] else {
      return false
    }
    return fired == job.fired
  }
}

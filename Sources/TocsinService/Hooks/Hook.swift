import Glibc
import TocsinModel

/// A sink whose programs run once for each event: its state machine and the processes under way.
///
/// It reacts to events, not to what is presented: what rang before it was started is not told again.
final class Hook: SinkEnd {
  let settings: PluginSettings
  private(set) var isLeaving = false
  var isOutdated = false

  private let surroundings: PluginSurroundings
  private let events: SinkEndEvents
  private var state: HookState
  private var runs: [Int: HookRun] = [:]
  private let timer: StateTimer
  private var hasStarted = false
  private var ready: SinkReport.Ready?
  private var missing: String?
  /// What came in this round of the loop.
  private var inbox: [HookState.Job] = []

  /// Makes a hook that is not started.
  init(
    _ settings: PluginSettings,
    _ surroundings: PluginSurroundings,
    events: SinkEndEvents
  ) {
    self.settings = settings
    self.surroundings = surroundings
    self.events = events
    timer = StateTimer(surroundings.reactor)
    state = HookState(settings.hook)
  }

  var status: SinkStatus {
    SinkStatus(
      sink: settings.name,
      state: !hasStarted ? "starting" : isLeaving ? "waiting" : missing == nil ? "ready" : "failed",
      pid: runs.min { $0.key < $1.key }?.value.pid,
      ready: ready,
      restarts: 0,
      dropped: state.dropped,
      reason: missing ?? state.reason
    )
  }

  var condition: PluginCondition {
    if let missing { return .failed(missing) }
    return ready.map { .ready($0) } ?? .starting
  }

  /// Whether a program of it runs.
  var isRinging: Bool { !runs.isEmpty }

  /// Looks for its programs again.
  func hurry() { if missing != nil { findPrograms() } }

  func start() {
    hasStarted = true
    findPrograms()
    if let missing { log(.error, missing) }
  }

  func stop() {
    isLeaving = true
    handle(.stop)
  }

  /// Takes an event; programs are started in the next round, so that no other sink waits for that.
  func send(_ message: SinkMessage, _ line: [UInt8]) {
    guard let job = HookState.Job(message, line: line) else { return }
    inbox.append(job)
    guard inbox.count == 1 else { return }
    surroundings.reactor.after(.zero) { [weak self] in self?.takeInbox() }
  }

  private func takeInbox() {
    let jobs = inbox
    inbox = []
    // Somebody may have installed it meanwhile.
    if missing != nil { findPrograms() }
    for job in jobs { handle(.occurred(job)) }
  }

  func reapIfEnded() {
    for run in Array(runs.values) { run.reapIfEnded() }
  }

  /// Is ready once all programs are there.
  private func findPrograms() {
    missing = nil
    defer { events.onChange() }
    for event in HookSettings.Event.allCases {
      guard let program = settings.hook.commands[event]?.first else { continue }
      do throws(ProgramFinder.Missing) {
        _ = try surroundings.finder.find(program)
      } catch {
        missing = "\(event.key): \(error)"
        return
      }
    }
    guard ready == nil else { return }
    let ready = SinkReport.Ready(
      name: settings.name,
      version: "",
      capabilities: ["hook"],
      audible: settings.hook.isAudible,
      events: settings.hook.commands.keys.map(\.rawValue).sorted()
    )
    self.ready = ready
    report(.ready(ready))
  }

  // MARK: The state machine's shell

  private func handle(_ event: HookState.Event) {
    for effect in state.handle(event, now: surroundings.reactor.now) { perform(effect) }
    timer.follow(state.deadline) { [weak self] in self?.handle(.deadline) }
  }

  private func perform(_ effect: HookState.Effect) {
    switch effect {
    case .run(let number, let job): run(number, job)
    case .terminate(let number): runs[number]?.signalGroup(SIGTERM)
    case .kill(let number): runs[number]?.signalGroup(SIGKILL)
    case .presented(let seq): report(.presented(seq: seq))
    case .failed(let seq, let reason):
      report(.failed(SinkReport.Failed(seq: seq, reason: reason)))
    case .log(let level, let text): log(level, text)
    case .finished: events.onFinished()
    }
  }

  private func run(_ number: Int, _ job: HookState.Job) {
    guard let command = settings.hook.commands[job.event] else { return }
    do {
      runs[number] = try HookRun(
        command,
        job,
        settings,
        surroundings,
        log: { [weak self] level, text in self?.log(level, text) },
        onExit: { [weak self] failure in
          guard let self else { return }
          runs[number] = nil
          handle(.ended(run: number, failure: failure))
          if runs.isEmpty { events.onQuiet() }
        }
      )
    } catch {
      let isPassing = (error as? SystemError).map { !$0.isOfProgram } ?? false
      handle(.notStarted(run: number, reason: "\(error)", isPassing: isPassing))
    }
  }

  /// In the next round: nothing is reported from within `send`.
  private func report(_ report: SinkReport) {
    surroundings.reactor.after(.zero) { [surroundings, settings] in
      surroundings.report(settings.name, report)
    }
  }

  private func log(_ level: LogLevel, _ text: String) {
    surroundings.log(level, "\(settings.name): \(text)")
  }
}

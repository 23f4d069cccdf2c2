import Glibc
import TocsinModel

/// What all plugins share with the daemon.
struct PluginSurroundings {
  var reactor: Reactor
  var finder: ProgramFinder
  var environment: PluginEnvironment
  /// What keeps the store out of plugins' sight.
  var cover: StoreCover
  /// What ends plugins if the daemon is killed.
  var guardian: Guardian
  /// The daemon's standard output, for those that print.
  var standardOutput: Int32
  var log: (LogLevel, String) -> Void
  /// What the sink of that name is to present now.
  var snapshot: (String) -> [Presentation]
  var report: (String, SinkReport) -> Void
}

/// One plugin: its state machine, its process while there is one, and what it said of itself.
final class Plugin {
  let settings: PluginSettings
  private(set) var isLeaving = false
  /// Whether other settings wait for its alert to be over, or for its end.
  var isOutdated = false

  let surroundings: PluginSurroundings
  private let events: SinkEndEvents
  private var isHandling = false
  /// The occurrences that ring at it, or would if it were ready.
  private var alerts: Set<OccurrenceID> = []
  private(set) var state: PluginState
  private var process: PluginProcess?
  private let timer: StateTimer
  var ready: SinkReport.Ready?
  private var droppedBefore = 0
  var hasReportedGarbage = false
  /// What is told once and came while nobody listened.
  private var notices: [[UInt8]] = []

  private static let noticeLimit = 64

  /// Makes a plugin that is not started.
  init(
    _ settings: PluginSettings,
    _ surroundings: PluginSurroundings,
    events: SinkEndEvents
  ) {
    self.settings = settings
    self.surroundings = surroundings
    self.events = events
    timer = StateTimer(surroundings.reactor)
    state = PluginState(
      pingInterval: settings.ping?.microseconds,
      timeout: settings.receiptTimeout.microseconds
    )
  }

  var status: SinkStatus {
    SinkStatus(
      sink: settings.name,
      state: state.status,
      pid: process?.pid,
      ready: ready,
      restarts: state.restarts,
      dropped: droppedBefore + (process?.dropped ?? 0),
      reason: state.reason
    )
  }

  /// What may be expected of it while it is not leaving.
  var condition: PluginCondition { state.condition(ready) }

  /// Whether its end would interrupt something: a process runs, and an alert rings.
  var isRinging: Bool { process != nil && !alerts.isEmpty }

  func start() { handle(.start) }

  /// Tries again soon, if it waits.
  func hurry() { handle(.needed) }

  func stop() {
    isLeaving = true
    handle(.stop)
  }

  func reapIfEnded() { process?.reapIfEnded() }

  /// Hands on an event; `line` is its encoding, shared by all plugins.
  func send(_ message: SinkMessage, _ line: [UInt8]) {
    switch message {
    case .present(let presentation):
      let isAlert = presentation.state == .alerting
      if let process, state.isReady {
        process.send(line, .presentation(presentation.occurrence))
        handle(.sent(seq: presentation.seq, presentation.occurrence, isAlert: isAlert))
      } else if isAlert {
        // It gets the alert with `sync` once it is ready; see that this is soon.
        handle(.needed)
      }
      note(presentation.occurrence, rings: isAlert)
    case .cleared(let cleared):
      if let process, state.isReady {
        process.send(line, .cleared(cleared.occurrence))
        handle(.sent(seq: cleared.seq, cleared.occurrence, isAlert: false))
      }
      note(cleared.occurrence, rings: false)
    case .missed, .secondary, .notice:
      if let process, state.isReady {
        process.send(line, .notice)
      } else if notices.count < Self.noticeLimit {
        notices.append(line)
      } else {
        droppedBefore += 1
      }
    case .hello, .sync, .ping, .bye, .receipt, .unknown:
      // These are between a plugin and its supervisor.
      break
    }
  }

  // MARK: The state machine's shell

  func handle(_ event: PluginState.Event) {
    let isOutermost = !isHandling
    isHandling = true
    for effect in state.handle(event, now: surroundings.reactor.now) { perform(effect) }
    timer.follow(state.deadline) { [weak self] in self?.handle(.deadline) }
    guard isOutermost else { return }
    isHandling = false
    if event.mayChangeCondition { events.onChange() }
  }

  private func perform(_ effect: PluginState.Effect) {
    switch effect {
    case .spawn: spawn()
    case .hello:
      send(.hello(SinkMessage.Hello(sink: settings.name, settings: settings.settings)), .control)
    case .sync: synchronise()
    case .ping: send(.ping, .control)
    case .bye:
      send(.bye, .replacement)
      process?.closeInputWhenDrained()
    case .terminate: process?.signalGroup(SIGTERM)
    case .kill: process?.signalGroup(SIGKILL)
    case .log(let level, let text): surroundings.log(level, "\(settings.name): \(text)")
    case .finished: events.onFinished()
    }
  }

  private func spawn() {
    hasReportedGarbage = false
    ready = nil
    do {
      process = try surroundings.start(settings.run, of: settings, callbacks: callbacks)
      handle(.spawned)
    } catch let error as SystemError {
      lookForAlerts()
      handle(.notSpawned(reason: error.ofProgram, isMissing: error.isOfProgram))
    } catch {
      lookForAlerts()
      handle(.notSpawned(reason: "\(error)", isMissing: true))
    }
  }

  private var callbacks: PluginProcess.Callbacks {
    PluginProcess.Callbacks(
      onLine: { [weak self] item in self?.read(item) ?? false },
      onLog: { [weak self] line in self?.log(.info, line) },
      onPipeClosed: { [weak self] in self?.handle(.pipeClosed) },
      onCaughtUp: { [weak self] in self?.synchronise() },
      onExit: { [weak self] exit in
        guard let self else { return }
        droppedBefore += process?.dropped ?? 0
        process = nil
        // Its successor takes its place at once.
        if isOutdated { stop() }
        if !isLeaving { lookForAlerts() }
        handle(.exited(reason: "\(exit)", isFinal: exit.isFinal))
      }
    )
  }

  // MARK: What it is told

  private func send(_ message: SinkMessage, _ kind: OutputQueue.Kind) {
    do {
      process?.send(try JSONLine.encode(message), kind)
    } catch {
      log(.error, "\(error)")
    }
  }

  /// Tells all that is presented: what fits into one line as `sync`, the rest as events of their own,
  /// and what was told once while it did not listen.
  private func synchronise() {
    guard let process else { return }
    // What rings comes first, in case not all of it finds room.
    let presentations = surroundings.snapshot(settings.name).sorted {
      ($0.state == .alerting ? 0 : 1, $0.seq) < ($1.state == .alerting ? 0 : 1, $1.seq)
    }
    let ringing = presentations.prefix { $0.state == .alerting }
    let batch = SyncBatch(presentations)
    process.send(batch.sync, .replacement)
    for (index, event) in batch.rest.enumerated() {
      guard process.hasRoom(for: event.line.count) else {
        process.countDropped(batch.rest.count - index)
        log(.warning, "\(batch.rest.count - index) presentations found no room")
        break
      }
      process.send(event.line, .presentation(event.occurrence))
    }
    handle(.synchronised)
    for alert in ringing { handle(.sent(seq: alert.seq, alert.occurrence, isAlert: true)) }
    setAlerts(Set(ringing.map(\.occurrence)))
    for line in notices { process.send(line, .notice) }
    notices = []
  }

  // MARK: What rings at it

  private func note(_ occurrence: OccurrenceID, rings: Bool) {
    if rings {
      guard alerts.insert(occurrence).inserted, alerts.count == 1 else { return }
    } else {
      guard alerts.remove(occurrence) != nil, alerts.isEmpty else { return }
      alerts = []
    }
    tellAlerting()
  }

  private func setAlerts(_ alerts: Set<OccurrenceID>) {
    let differs = self.alerts.isEmpty != alerts.isEmpty
    self.alerts = alerts
    if differs { tellAlerting() }
  }

  /// Asks what it is to present, for what it was not handed by itself.
  private func lookForAlerts() {
    let presentations = surroundings.snapshot(settings.name)
    setAlerts(Set(presentations.lazy.filter { $0.state == .alerting }.map(\.occurrence)))
  }

  private func tellAlerting() {
    handle(.alerting(!alerts.isEmpty))
    if alerts.isEmpty { events.onQuiet() }
  }

  func log(_ level: LogLevel, _ text: String) {
    surroundings.log(level, "\(settings.name): \(text)")
  }
}

extension PluginState.Event {
  /// Whether others have to look at its condition anew; what `send` does never changes it.
  fileprivate var mayChangeCondition: Bool {
    switch self {
    case .sent, .synchronised, .alerting, .needed, .answered, .pong: false
    default: true
    }
  }
}

extension SystemError {
  /// The thing, the place and the remedy: a script that is there and cannot be found is a riddle.
  fileprivate var ofProgram: String {
    guard operation == "execve", code == ENOENT else { return "\(self)" }
    return "\(subject) needs an interpreter that is not there, see its first line"
  }

  /// Whether exec refuses the program until somebody changes it; one that is being written just now,
  /// as in an upgrade, or for which the system lacks memory, may well start a moment later.
  var isOfProgram: Bool {
    operation == "execve" && ![ETXTBSY, EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code)
  }
}

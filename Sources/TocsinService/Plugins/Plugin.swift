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
  /// All that is presented now.
  var snapshot: () -> [Presentation]
  var report: (String, SinkReport) -> Void
}

/// One plugin: its state machine, its process while there is one, and what it said of itself.
final class Plugin {
  let settings: PluginSettings
  private(set) var isLeaving = false

  private let surroundings: PluginSurroundings
  private let onFinished: () -> Void
  private var state: PluginState
  private var process: PluginProcess?
  private var timer: (token: TimerToken, deadline: Int64)?
  private var ready: SinkReport.Ready?
  private var droppedBefore = 0
  private var hasReportedGarbage = false
  /// What is told once and came while nobody listened.
  private var notices: [[UInt8]] = []

  private static let noticeLimit = 64

  /// Makes a plugin that is not started; `onFinished` is called on the loop's thread once it was
  /// stopped and is gone.
  init(
    _ settings: PluginSettings,
    _ surroundings: PluginSurroundings,
    onFinished: @escaping () -> Void
  ) {
    self.settings = settings
    self.surroundings = surroundings
    self.onFinished = onFinished
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

  func start() { handle(.start) }

  func stop() {
    isLeaving = true
    handle(.stop)
  }

  func reapIfEnded() { process?.reapIfEnded() }

  /// Hands on an event; `line` is its encoding, shared by all plugins.
  func send(_ message: SinkMessage, _ line: [UInt8]) {
    switch message {
    case .present(let presentation):
      if let process, state.isReady {
        process.send(line, .presentation(presentation.occurrence))
        handle(.sent(seq: presentation.seq))
      } else if presentation.state == .alerting {
        // It gets the alert with `sync` once it is ready; see that this is soon.
        handle(.wanted)
      }
    case .cleared(let cleared):
      guard let process, state.isReady else { return }
      process.send(line, .cleared(cleared.occurrence))
      handle(.sent(seq: cleared.seq))
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

  private func handle(_ event: PluginState.Event) {
    for effect in state.handle(event, now: surroundings.reactor.now) { perform(effect) }
    armTimer()
  }

  private func armTimer() {
    guard timer?.deadline != state.deadline else { return }
    if let timer { surroundings.reactor.cancel(timer.token) }
    timer = state.deadline.map { deadline in
      let delay = Duration.microseconds(deadline - surroundings.reactor.now)
      let token = surroundings.reactor.after(delay) { [weak self] in
        self?.timer = nil
        self?.handle(.deadline)
      }
      return (token, deadline)
    }
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
    case .finished: onFinished()
    }
  }

  private func spawn() {
    hasReportedGarbage = false
    ready = nil
    do {
      process = try surroundings.start(settings.run, of: settings, callbacks: callbacks)
      handle(.spawned)
    } catch let error as SystemError {
      handle(.notSpawned(reason: "\(error)", isMissing: error.isOfProgram))
    } catch {
      handle(.notSpawned(reason: "\(error)", isMissing: true))
    }
  }

  private var callbacks: PluginProcess.Callbacks {
    PluginProcess.Callbacks(
      onLine: { [weak self] item in self?.read(item) },
      onLog: { [weak self] line in self?.log(.info, line) },
      onPipeClosed: { [weak self] in self?.handle(.pipeClosed) },
      onCaughtUp: { [weak self] in self?.synchronise() },
      onExit: { [weak self] exit in
        guard let self else { return }
        droppedBefore += process?.dropped ?? 0
        process = nil
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
    let presentations = surroundings.snapshot().sorted {
      ($0.state == .alerting ? 0 : 1, $0.seq) < ($1.state == .alerting ? 0 : 1, $1.seq)
    }
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
    if let seq = presentations.filter({ $0.state == .alerting }).map(\.seq).max() {
      handle(.sent(seq: seq))
    }
    for line in notices { process.send(line, .notice) }
    notices = []
  }

  // MARK: What it says

  private func read(_ item: LineReader.Item) {
    switch item {
    case .overlong:
      reportGarbage("a line is longer than \(JSONLine.limit / 1024) KiB")
    case .line(let bytes):
      guard !JSONLine.isBlank(bytes) else { return }
      do {
        read(try JSONLine.decode(SinkReport.self, from: bytes))
      } catch {
        reportGarbage(error.message)
      }
    }
  }

  private func reportGarbage(_ what: String) {
    guard !hasReportedGarbage else { return }
    hasReportedGarbage = true
    handle(.complained("wrote what is no message: \(what)"))
    log(.warning, "wrote what is no message: \(what); more of it will not be mentioned")
  }

  private func read(_ report: SinkReport) {
    switch report {
    case .ready(let ready):
      self.ready = ready
      handle(.ready)
    case .presented(let seq):
      handle(.answered(seq: seq))
    case .failed(let failed):
      handle(.answered(seq: failed.seq))
      handle(.complained(failed.reason))
    case .pong:
      handle(.pong)
      return
    case .log(let entry):
      log(entry.level.flatMap { LogLevel(rawValue: $0) } ?? .info, entry.message)
      return
    case .unknown:
      return
    case .intent:
      break
    }
    surroundings.report(settings.name, report)
  }

  private func log(_ level: LogLevel, _ text: String) {
    surroundings.log(level, "\(settings.name): \(text)")
  }
}

extension SystemError {
  /// Whether exec refuses the program until somebody changes it; one that is being written just now,
  /// as in an upgrade, or for which the system lacks memory, may well start a moment later.
  var isOfProgram: Bool {
    operation == "execve" && ![ETXTBSY, EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code)
  }
}

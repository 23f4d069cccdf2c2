import Glibc
import TocsinClient

/// Hosts a sink that joins a running daemon through its control socket.
///
/// The sink lives on while no daemon is there, with nothing presented. The wait for one is inotify's:
/// after a few tries in quick succession nothing wakes the machine until something happens where the
/// socket should be. Used by one thread.
final class AttachedSinkHost<S: Sink> {
  /// How long a daemon that is too busy to accept is waited for.
  private static var connectLimit: Duration { .milliseconds(100) }

  private let attachment: SinkArguments.Attachment
  private let loop: PollLoop
  private let clock = SystemSinkClock()
  private let outlet: Outlet
  private let session: SinkSession<S>
  private var link: (token: Int, link: AttachedLink)?
  private var watch: (token: Int, watch: SocketWatch)?
  private var retry: Int?
  private var pace = RetryPace()
  private var isOver = false
  /// What the log last said about the daemon.
  private var said: String?

  /// Where the sink's reports go: to the daemon while there is one, the log's lines to the log.
  private final class Outlet {
    var ready: SinkReport.Ready?
    var channel: ReportChannel?
    let log: (String) -> Void

    init(log: @escaping (String) -> Void) { self.log = log }

    func take(_ report: SinkReport) {
      switch report {
      case .log(let line): if line.level != SinkHost.LogLevel.debug.rawValue { log(line.message) }
      case .ready(let ready): self.ready = ready
      default: channel?.send(report)
      }
    }
  }

  /// - Parameters:
  ///   - program: what the sink is called where nothing else is said.
  ///   - attachment: to whom, under which name, with which settings.
  ///   - log: writes a line to the log.
  init(
    program: String,
    _ attachment: SinkArguments.Attachment,
    log: @escaping (String) -> Void
  ) {
    let loop = PollLoop(clock: clock)
    let outlet = Outlet(log: log)
    self.attachment = attachment
    self.loop = loop
    self.outlet = outlet
    session = SinkSession(
      clock: clock,
      loop: loop,
      make: { try S(settings: $0, host: $1) },
      report: { outlet.take($0) }
    )
    session.start(name: attachment.name ?? program, settings: attachment.settings)
    if let name = attachment.name { outlet.ready?.name = name }
  }

  /// Joins, and joins again, until a signal comes; gives the exit code.
  func run() -> CInt {
    switch session.outcome {
    case .misconfigured: return 78
    case .unavailable: return 69
    case .running, .ended: break
    }
    if let signals = Signals.termination?.descriptor {
      _ = loop.add(DescriptorWatch(signals, .readable) { [unowned self] _ in isOver = true })
    }
    connect()
    while !isOver { loop.turn() }
    session.end()
    link?.link.channel.flush(atMost: .milliseconds(500), clock: clock)
    return EXIT_SUCCESS
  }

  // MARK: Joining

  private func paths() throws(ClientError) -> [String] {
    if let socket = attachment.socket { return [socket] }
    return try SocketPath.candidates(environment: Environment.variable)
  }

  private func connect() {
    do {
      let paths = try paths()
      // Watched first, or a daemon that comes in between would be missed.
      if watch == nil { startWatch(paths) }
      let connection = try Connection.first(of: paths, within: Self.connectLimit)
      try connection.send(.subscribe, within: Self.connectLimit)
      join(connection)
    } catch {
      // That a daemon which has gone is not there need not be said again.
      if said == nil || !error.isAbsence { say("\(error)") }
      waitForDaemon(isNoticed: error.isNoticedWhenItChanges)
    }
  }

  private func join(_ connection: Connection) {
    let link = AttachedLink(
      connection,
      onMessage: { [unowned self] in take($0) },
      onEnd: { [unowned self] in lose($0, isNoticed: false) }
    )
    self.link = (loop.add(link), link)
    outlet.channel = link.channel
  }

  private func take(_ message: Incoming) {
    let path = link?.link.path ?? ""
    switch message {
    case .reply(.ok):
      stopWatch()
      pace = RetryPace()
      say("joined the daemon at \(path)")
      if let ready = outlet.ready { outlet.channel?.send(.ready(ready)) }
    case .reply(.error(_, let error)):
      lose(error.message, isNoticed: error.code == .permission)
    case .reply, .application, .event(.hello): break
    case .event(.bye): lose("the daemon at \(path) has ended; waiting for it", isNoticed: true)
    case .event(let message): session.receive(message)
    }
  }

  /// Lets go of the connection, shows nothing any more, and waits for a daemon.
  private func lose(_ reason: String, isNoticed: Bool) {
    guard let (token, link) = link else { return }
    self.link = nil
    outlet.channel = nil
    loop.remove(token)
    link.close()
    say(reason)
    session.receive(.sync([]))
    if watch == nil, let paths = try? paths() { startWatch(paths) }
    waitForDaemon(isNoticed: isNoticed)
  }

  // MARK: Waiting

  private func startWatch(_ paths: [String]) {
    guard let watch = SocketWatch(paths) else { return }
    let source = DescriptorWatch(watch.descriptor, .readable) { [unowned self] _ in
      guard watch.takeEvents(), link == nil else { return }
      pace = RetryPace()
      connectNow()
    }
    self.watch = (loop.add(source), watch)
  }

  private func stopWatch() {
    if let watch { loop.remove(watch.token) }
    watch = nil
  }

  private func waitForDaemon(isNoticed: Bool) {
    guard let pause = pace.next(isNoticed: isNoticed && watch != nil) else { return }
    retry = loop.addWake(at: clock.elapsed + pause) { [unowned self] in connectNow() }
  }

  private func connectNow() {
    if let retry { loop.remove(retry) }
    retry = nil
    connect()
  }

  private func say(_ line: String) {
    guard line != said else { return }
    said = line
    outlet.log(line)
  }
}

extension ClientError {
  /// Whether it only means that no daemon is there.
  fileprivate var isAbsence: Bool {
    if case .noDaemon = self { true } else { false }
  }

  /// Whether something happens to the socket when it becomes otherwise.
  fileprivate var isNoticedWhenItChanges: Bool {
    switch self {
    case .noDaemon, .refused: true
    default: false
    }
  }
}

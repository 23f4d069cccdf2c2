import Glibc
import TocsinEngine
import TocsinModel
import TocsinTime

/// Everything between the engine and those who present and press.
extension AlarmService {
  func startPlugins() {
    let supervisor = PluginSupervisor(
      settings: pluginSettings,
      reactor: reactor,
      log: { [log = options.log] in log($0, $1) },
      snapshot: { [unowned service = self] name in
        service.assumeIsolated { $0.view(of: SinkID(name)) }
      },
      report: { [unowned service = self] sink, report in
        service.assumeIsolated { $0.receive(report, from: SinkID(sink)) }
      },
      changed: { [unowned service = self] sink, condition in
        service.assumeIsolated { $0.sinkChanged(sink, condition) }
      },
      store: storeFiles
    )
    plugins = supervisor
    expectSinks()
    route(.gather(Router.Rule.gather))
    supervisor.start()
  }

  /// The store's files, if it has any.
  private var storeFiles: StoreFiles? {
    if case .file(let path) = options.store { StoreFiles(path: path) } else { nil }
  }

  /// The plugins to run: an embedded service leaves printing to the program it runs in.
  var pluginSettings: [PluginSettings] {
    let isPrinting = options.isEmbedded && options.rings
    return options.configuration.plugins.filter { !(isPrinting && $0.getsStandardOutput) }
  }

  /// Takes the plugins of plugins.conf for those that will be there.
  func expectSinks() {
    for settings in pluginSettings where settings.isEnabled {
      route(.sink(SinkID(settings.name), .starting, timeout: settings.confirmationTime))
    }
  }

  /// All that a sink is to present now.
  func view(of sink: SinkID) -> [Presentation] { router.view(of: sink, table.presentations) }

  private func sinkChanged(_ name: String, _ condition: PluginCondition) {
    let sink = SinkID(name)
    let timeout = plugins?.confirmationTime(of: name) ?? Router.Rule.clientTimeout
    switch condition {
    case .starting: route(.sink(sink, .starting, timeout: timeout))
    case .ready(let ready): route(.sink(sink, .ready(ready), timeout: timeout))
    case .failed(let reason): route(.sink(sink, .failed(reason), timeout: timeout))
    case .off: route(.gone(sink))
    }
    continuePassage()
  }

  // MARK: - Clients

  /// Sends an event about an alarm of a program, or of nobody in particular, to the clients that only
  /// watch; those that have joined watch their own alarms.
  func tellSubscribers(_ message: SinkMessage, of application: String?) {
    tell(message) { client in client.isWatching && client.sees(application) }
  }

  /// Sends an event to the clients that want any.
  func tellAllClients(_ message: SinkMessage) {
    tell(message, where: \.isSubscribed)
  }

  func tell(_ message: SinkMessage, where isMeant: (ControlClient) -> Bool) {
    guard let control, control.clients.values.contains(where: isMeant),
      let line = try? JSONLine.encode(message)
    else { return }
    for client in control.clients.values where isMeant(client) {
      client.send(event: message, line)
    }
  }

  /// Sends a client all that is presented, after which events follow.
  func sync(_ client: ControlClient) {
    let batch = SyncBatch(view(of: client))
    client.send(batch.sync)
    guard !batch.rest.isEmpty else { return }
    let backlog = SyncBacklog(batch)
    client.backlog = backlog
    client.send(source: backlog.next)
  }

  /// Takes what a client that presents reports.
  func receive(_ report: SinkReport, from client: ControlClient) {
    guard case .ready(let ready) = report else {
      // A program's own presentation answers for its own alarms.
      let isOwn = client.membership.map { isAbout($0.application, report) } ?? true
      return isOwn ? receive(report, from: SinkID(client)) : ()
    }
    // One that does not want events is no sink, whatever it says of itself.
    guard client.isSubscribed else { return }
    if client.ready != nil { route(.gone(SinkID(client))) }
    client.ready = ready
    route(
      .sink(
        SinkID(client),
        .ready(ready),
        timeout: Router.Rule.clientTimeout,
        scope: client.membership?.application
      )
    )
    // As one that watches it was told everything.
    if view(of: client) != everything(for: client) { sync(client) }
  }

  /// All that a client is to be shown now.
  private func view(of client: ControlClient) -> [Presentation] {
    guard client.ready != nil else { return everything(for: client) }
    return router.view(of: SinkID(client), table.presentations)
  }

  /// All that a client may know of, whoever presents it.
  private func everything(for client: ControlClient) -> [Presentation] {
    let all = table.presentations
    return client.membership == nil ? all : all.filter { client.sees($0.sharedOptions.application) }
  }

  /// Whether what a sink reports is about no alarm but a program's own.
  private func isAbout(_ application: String, _ report: SinkReport) -> Bool {
    switch report {
    case .presented(let seq): router.owner(of: seq) == application
    case .failed(let failed): router.owner(of: failed.seq) == application
    case .intent(let intent): (try? check(intent, from: application)) != nil
    case .ready, .log, .pong, .unknown: true
    }
  }

  /// A client is gone, and with it the sink that it was.
  func clientEnded(_ client: ControlClient) {
    followers.remove(client.id)
    takeIntentsBack(from: client)
    if client.ready != nil, !isStopping { route(.gone(SinkID(client))) }
    continuePassage()
  }

  /// Takes what a sink reports.
  func receive(_ report: SinkReport, from sink: SinkID) {
    switch report {
    case .presented(let seq): route(.presented(seq: seq, by: sink))
    case .failed(let failed): route(.failed(seq: failed.seq, by: sink, reason: failed.reason))
    case .intent(let intent): run(.intent(intent, source: sink.name))
    case .log(let line):
      options.log(LogLevel(sink: line.level), "\(sink.name): \(line.message)")
    case .ready, .pong, .unknown: break
    }
    continuePassage()
  }

  var sinkStatuses: [SinkStatus] {
    let attached = (control?.clients.values ?? [:].values)
      .sorted { $0.id < $1.id }
      .filter { $0.ready != nil }
      .map {
        SinkStatus(
          sink: $0.ready?.name ?? $0.name,
          state: "attached",
          pid: $0.peer.pid,
          ready: $0.ready,
          restarts: 0,
          dropped: 0,
          reason: nil
        )
      }
    return (plugins?.statuses ?? []) + attached
  }
}

extension SinkID {
  /// A client that presents, or might.
  init(_ client: ControlClient) {
    self.init(client.ready?.name ?? client.name, client: client.id)
  }
}

extension ControlClient {
  /// Whether it wants events and is no sink, so that it sees all of them.
  var isWatching: Bool { isSubscribed && ready == nil }

  /// Whether an alarm of a program, or of nobody in particular, is one of those it is about.
  func sees(_ application: String?) -> Bool {
    membership.map { $0.application == application } ?? true
  }

  /// Whether it presents.
  var isSink: Bool { isSubscribed && ready != nil }

  /// Sends an event, in place of what its first `sync` still holds of the same occurrence.
  func send(event message: SinkMessage, _ line: [UInt8]) {
    if let occurrence = message.presentedOccurrence { backlog?.supersede(occurrence) }
    send(line)
  }
}

extension LogLevel {
  /// The level a sink gave its line.
  fileprivate init(sink name: String?) {
    switch name {
    case "error": self = .error
    case "warning": self = .warning
    case "debug": self = .debug
    default: self = .info
    }
  }
}

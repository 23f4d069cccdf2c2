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
      snapshot: { [unowned service = self] in service.assumeIsolated { $0.table.presentations } },
      report: { [unowned service = self] sink, report in
        service.assumeIsolated { $0.receive(report, fromSink: sink) }
      },
      store: storeFiles
    )
    plugins = supervisor
    supervisor.start()
  }

  /// The store's files, if it has any.
  private var storeFiles: StoreFiles? {
    if case .file(let path) = options.store { StoreFiles(path: path) } else { nil }
  }

  /// The plugins to run: an embedded service leaves printing to the program it runs in.
  var pluginSettings: [PluginSettings] {
    options.configuration.plugins.filter {
      $0.isEnabled && !(options.isEmbedded && $0.getsStandardOutput)
    }
  }

  /// Sends an event to every sink and every subscriber.
  func broadcast(_ message: SinkMessage) {
    plugins?.send(message)
    tellSubscribers(message)
  }

  /// Sends an event to the clients that want them.
  func tellSubscribers(_ message: SinkMessage) {
    guard let control, control.clients.values.contains(where: \.isSubscribed),
      let line = try? JSONLine.encode(message)
    else { return }
    for client in control.clients.values where client.isSubscribed {
      if let occurrence = message.presentedOccurrence { client.backlog?.supersede(occurrence) }
      client.send(line)
    }
  }

  /// Sends a client all that is presented, after which events follow.
  func sync(_ client: ControlClient) {
    let batch = SyncBatch(table.presentations)
    client.send(batch.sync)
    guard !batch.rest.isEmpty else { return }
    let backlog = SyncBacklog(batch)
    client.backlog = backlog
    client.send(source: backlog.next)
  }

  /// Takes what a client that presents reports.
  func receive(_ report: SinkReport, from client: ControlClient) {
    if case .ready(let ready) = report { client.ready = ready }
    receive(report, fromSink: client.ready?.name ?? client.name)
  }

  /// Takes what a sink reports.
  func receive(_ report: SinkReport, fromSink sink: String) {
    switch report {
    case .presented(let seq): receipt(seq, .presented, sink, detail: nil)
    case .failed(let failed): receipt(failed.seq, .failed, sink, detail: failed.reason)
    case .intent(let intent): run(.intent(intent, source: sink))
    case .log(let line): options.log(LogLevel(sink: line.level), "\(sink): \(line.message)")
    case .ready, .pong, .unknown: break
    }
  }

  /// Records that an alert did or did not come about.
  private func receipt(
    _ seq: UInt64,
    _ event: HistoryEntry.Event,
    _ sink: String,
    detail: String?
  ) {
    guard let alert = receipts.take(event, of: seq, from: sink) else { return }
    if event == .failed { options.log(.error, "\(sink) cannot present: \(detail ?? "")") }
    let entry = HistoryEntry(
      at: now.wall,
      alarm: alert.occurrence.alarm,
      occurrence: alert.occurrence,
      title: alert.title,
      event: event,
      due: alert.due,
      source: sink,
      detail: detail
    )
    commit([.record(entry)], for: nil)
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

package import TocsinModel

/// Starts, feeds and restarts the plugins of plugins.conf; none of them can delay another or the
/// daemon.
///
/// Lives on the loop's thread. Its closures are called from descriptors and timers only, never from
/// within its own methods.
package final class PluginSupervisor {
  private let surroundings: PluginSurroundings
  /// What shall run; `plugins` follows it.
  private var wanted: [PluginSettings]
  private var plugins: [String: any SinkEnd] = [:]
  private var completions: [() -> Void] = []

  /// Makes a supervisor that runs nothing yet; ignores SIGPIPE for the whole process.
  ///
  /// - Parameters:
  ///   - settings: the plugins; those that are not enabled are left out.
  ///   - reactor: the loop; children are tied to its thread.
  ///   - log: takes lines that begin with the plugin's name.
  ///   - snapshot: all that is presented at the moment, for `sync`.
  ///   - report: takes `ready`, receipts and intents with the plugin's name.
  ///   - environment: the daemon's; plugins find in theirs what presenting needs.
  ///   - store: the store's files, which are hidden from plugins; nil if there are none.
  ///   - programDirectory: where `run` is looked for first.
  ///   - standardOutput: what `stdout = yes` gives as descriptor 3.
  package init(
    settings: [PluginSettings],
    reactor: Reactor,
    log: @escaping (LogLevel, String) -> Void,
    snapshot: @escaping () -> [Presentation],
    report: @escaping (String, SinkReport) -> Void,
    environment: [String: String] = processEnvironment(),
    store: StoreFiles? = nil,
    programDirectory: String = ConfigurationFinder.runningProgramDirectory,
    standardOutput: Int32 = 1
  ) {
    SignalSource.ignoreBrokenPipes()
    wanted = settings.filter(\.isEnabled)
    surroundings = PluginSurroundings(
      reactor: reactor,
      finder: ProgramFinder(programDirectory: programDirectory, environment: environment),
      environment: PluginEnvironment(environment),
      cover: StoreCover(store, log: log),
      guardian: Guardian(log: log),
      standardOutput: standardOutput,
      log: log,
      snapshot: snapshot,
      report: report
    )
  }

  /// Starts all plugins.
  package func start() { reconcile() }

  /// Sends an event to all plugins; it is encoded once.
  package func send(_ message: SinkMessage) {
    guard let line = encode(message) else { return }
    for plugin in plugins.values { plugin.send(message, line) }
  }

  /// Sends an event to one plugin; does nothing if there is none of that name.
  package func send(_ message: SinkMessage, to name: String) {
    guard let plugin = plugins[name], let line = encode(message) else { return }
    plugin.send(message, line)
  }

  /// How the plugins do, in the order of the configuration.
  package var statuses: [SinkStatus] {
    wanted.map { settings in
      plugins[settings.name]?.status
        ?? SinkStatus(
          sink: settings.name,
          state: "starting",
          pid: nil,
          ready: nil,
          restarts: 0,
          dropped: 0,
          reason: nil
        )
    }
  }

  /// Follows a new configuration: only what changed is stopped, started or restarted.
  package func reload(_ settings: [PluginSettings]) {
    guard completions.isEmpty else { return }
    wanted = settings.filter(\.isEnabled)
    reconcile()
  }

  /// Ends all plugins: `bye`, half a second later SIGTERM, a second later SIGKILL.
  ///
  /// - Parameter completion: called on the loop's thread once all of them are gone.
  package func stop(_ completion: @escaping () -> Void) {
    completions.append(completion)
    wanted = []
    reconcile()
    surroundings.reactor.after(.zero) { [weak self] in self?.completeIfStopped() }
  }

  /// Looks for plugins that have ended; to be called on SIGCHLD, for kernels without pidfds.
  package func reapChildren() {
    for plugin in plugins.values { plugin.reapIfEnded() }
  }

  /// Makes what runs what is wanted; a plugin that changed is started again once the old one is gone.
  private func reconcile() {
    for (name, plugin) in plugins where !plugin.isLeaving {
      if !wanted.contains(where: { $0.name == name && $0 == plugin.settings }) { plugin.stop() }
    }
    for settings in wanted where plugins[settings.name] == nil {
      let name = settings.name
      let onFinished = { [weak self] in self?.finished(name) ?? () }
      let plugin: any SinkEnd =
        settings.isHook
        ? Hook(settings, surroundings, onFinished: onFinished)
        : Plugin(settings, surroundings, onFinished: onFinished)
      plugins[name] = plugin
      plugin.start()
    }
  }

  /// In the next round, because a plugin may finish while `reconcile` goes through them.
  private func finished(_ name: String) {
    surroundings.reactor.after(.zero) { [weak self] in
      guard let self else { return }
      plugins[name] = nil
      reconcile()
      completeIfStopped()
    }
  }

  private func completeIfStopped() {
    guard plugins.isEmpty, !completions.isEmpty else { return }
    let completions = completions
    self.completions = []
    for completion in completions { completion() }
  }

  private func encode(_ message: SinkMessage) -> [UInt8]? {
    do {
      let line = try JSONLine.encode(message)
      if line.count <= JSONLine.limit { return line }
      surroundings.log(.error, "an event of \(line.count) bytes is too long for a line")
    } catch {
      surroundings.log(.error, "an event cannot be written: \(error)")
    }
    return nil
  }
}

package import TocsinModel

/// Starts, feeds and restarts the plugins of plugins.conf; none of them can delay another or the
/// daemon.
///
/// Lives on the loop's thread. Its closures are called from descriptors and timers, and from within
/// `start`, `reload` and `setEnabled`; never from within `send`.
package final class PluginSupervisor {
  private let surroundings: PluginSurroundings
  private let changed: (String, PluginCondition) -> Void
  /// What plugins.conf says; `plugins` follows it.
  private var settings: [PluginSettings]
  /// What a person said since the daemon began, against plugins.conf.
  private var switches: [String: Bool] = [:]
  private var plugins: [String: any SinkEnd] = [:]
  private var proven = ProvenSettings()
  /// What was last told of each.
  private var conditions: [String: PluginCondition] = [:]
  private var completions: [() -> Void] = []

  /// Makes a supervisor that runs nothing yet; ignores SIGPIPE for the whole process.
  ///
  /// - Parameters:
  ///   - settings: the plugins, those that are not enabled too.
  ///   - reactor: the loop; children are tied to its thread.
  ///   - log: takes lines that begin with the plugin's name.
  ///   - snapshot: what the sink of that name is to present at the moment, for its `sync`.
  ///   - report: takes `ready`, receipts and intents with the plugin's name.
  ///   - changed: takes what may be expected of a plugin, at first and each time that changes, but for
  ///     the daemon's own end.
  ///   - environment: the daemon's; plugins find in theirs what presenting needs.
  ///   - store: the store's files, which are hidden from plugins; nil if there are none.
  ///   - programDirectory: where `run` is looked for first.
  ///   - standardOutput: what `stdout = yes` gives as descriptor 3.
  package init(
    settings: [PluginSettings],
    reactor: Reactor,
    log: @escaping (LogLevel, String) -> Void,
    snapshot: @escaping (String) -> [Presentation],
    report: @escaping (String, SinkReport) -> Void,
    changed: @escaping (String, PluginCondition) -> Void,
    environment: [String: String] = processEnvironment(),
    store: StoreFiles? = nil,
    programDirectory: String = ConfigurationFinder.runningProgramDirectory,
    standardOutput: Int32 = 1
  ) {
    SignalSource.ignoreBrokenPipes()
    self.settings = settings
    self.changed = changed
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

  /// Starts all plugins that are enabled.
  package func start() { reconcile() }

  // MARK: Events

  /// Sends an event to all plugins; it is encoded once.
  package func send(_ message: SinkMessage) {
    send(message, to: plugins.values)
  }

  /// Sends an event to the plugins of these names; it is encoded once.
  ///
  /// Names of no plugin are passed over.
  package func send(_ message: SinkMessage, to names: [String]) {
    send(message, to: names.compactMap { plugins[$0] })
  }

  private func send(_ message: SinkMessage, to plugins: some Collection<any SinkEnd>) {
    guard !plugins.isEmpty, let line = encode(message) else { return }
    for plugin in plugins { plugin.send(message, line) }
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

  // MARK: What runs

  /// Follows a new configuration: only what changed is stopped, started or restarted, and what rings
  /// only once its alert is over.
  package func reload(_ settings: [PluginSettings]) {
    guard completions.isEmpty else { return }
    self.settings = settings
    proven.forgetRefusals(keeping: settings.map(\.name))
    reconcile()
  }

  /// Starts or stops a plugin, at once, whatever plugins.conf says, until the daemon ends.
  ///
  /// - Returns: false if plugins.conf has no section of that name.
  package func setEnabled(_ name: String, _ isEnabled: Bool) -> Bool {
    guard completions.isEmpty, settings.contains(where: { $0.name == name }) else { return false }
    switches[name] = isEnabled
    if isEnabled { plugins[name]?.hurry() }
    reconcile()
    return true
  }

  /// How long the plugin may take to confirm an event.
  package func confirmationTime(of name: String) -> Duration {
    settings.first { $0.name == name }?.confirmationTime
      ?? plugins[name]?.settings.confirmationTime
      ?? PluginSettings(name: name, run: []).confirmationTime
  }

  /// Ends all plugins: `bye`, half a second later SIGTERM, a second later SIGKILL.
  ///
  /// - Parameter completion: called on the loop's thread once all of them are gone.
  package func stop(_ completion: @escaping () -> Void) {
    completions.append(completion)
    settings = []
    for plugin in plugins.values where !plugin.isLeaving { plugin.stop() }
    surroundings.reactor.after(.zero) { [weak self] in self?.completeIfStopped() }
  }

  /// Looks for plugins that have ended; to be called on SIGCHLD, for kernels without pidfds.
  package func reapChildren() {
    for plugin in plugins.values { plugin.reapIfEnded() }
  }

  /// The settings with which a plugin is to run now; nil if it is not to run.
  private func target(_ name: String) -> PluginSettings? {
    guard var target = settings.first(where: { $0.name == name }),
      switches[name] ?? target.isEnabled
    else { return nil }
    target.isEnabled = true
    return proven.insteadOf(target)
  }

  /// Makes what runs what is wanted; a plugin that changed is started again once the old one is gone.
  private func reconcile() {
    for plugin in plugins.values { settle(plugin) }
    for name in settings.map(\.name) where plugins[name] == nil {
      guard let target = target(name) else { continue }
      let plugin: any SinkEnd =
        target.isHook
        ? Hook(target, surroundings, events: events(of: name))
        : Plugin(target, surroundings, events: events(of: name))
      plugins[name] = plugin
      plugin.start()
    }
    let names = settings.map(\.name)
    for name in names + conditions.keys.filter({ !names.contains($0) }).sorted() { tell(name) }
  }

  /// Stops a plugin that is not as it is wanted, unless that would interrupt an alert.
  private func settle(_ plugin: any SinkEnd) {
    guard !plugin.isLeaving else { return }
    let name = plugin.settings.name
    let isOutdated = target(name) != plugin.settings
    let isSwitchedOff = switches[name] == false && settings.contains { $0.name == name }
    plugin.isOutdated = isOutdated
    if isOutdated, isSwitchedOff || !plugin.isRinging { plugin.stop() }
  }

  private func events(of name: String) -> SinkEndEvents {
    SinkEndEvents(
      onChange: { [weak self] in self?.changed(name) },
      onQuiet: { [weak self] in self?.becameQuiet(name) },
      onFinished: { [weak self] in self?.finished(name) }
    )
  }

  /// In the next round, because it may come while an event goes to all.
  private func becameQuiet(_ name: String) {
    guard plugins[name]?.isOutdated == true else { return }
    reconcileSoon()
  }

  private func reconcileSoon() {
    surroundings.reactor.after(.zero) { [weak self] in
      guard let self, completions.isEmpty else { return }
      reconcile()
    }
  }

  /// Other settings than it worked with may be wrong; then it goes on with those.
  private func changed(_ name: String) {
    if let plugin = plugins[name], !plugin.isLeaving,
      let reason = proven.note(plugin.settings, plugin.condition)
    {
      surroundings.log(.error, "\(name) \(ProvenSettings.words(reason))")
      reconcileSoon()
    }
    tell(name)
  }

  /// In the next round, because a plugin may finish while `reconcile` goes through them.
  private func finished(_ name: String) {
    surroundings.reactor.after(.zero) { [weak self] in
      guard let self else { return }
      plugins[name] = nil
      if completions.isEmpty { reconcile() }
      completeIfStopped()
    }
  }

  private func completeIfStopped() {
    guard plugins.isEmpty, !completions.isEmpty else { return }
    let completions = completions
    self.completions = []
    for completion in completions { completion() }
  }

  // MARK: How they do

  /// How the plugins do, in the order of the configuration; last those that only end their alert.
  package var statuses: [SinkStatus] {
    let names = settings.map(\.name)
    let rest = plugins.keys.filter { !names.contains($0) }.sorted()
    return names.map { status($0) } + rest.map { status($0) }
  }

  private func status(_ name: String) -> SinkStatus {
    let isWanted = target(name) != nil
    guard let plugin = plugins[name] else {
      return SinkStatus(
        sink: name,
        state: isWanted ? "starting" : "off",
        pid: nil,
        ready: nil,
        restarts: 0,
        dropped: 0,
        reason: isWanted ? nil : whyOff(name)
      )
    }
    var status = plugin.status
    if plugin.isLeaving {
      (status.state, status.reason) = isWanted ? ("starting", nil) : ("off", whyOff(name))
    } else if plugin.isOutdated {
      status.reason = "follows plugins.conf once its alert is over"
    } else if let reason = proven.refusal(of: name) {
      status.reason = ProvenSettings.words(reason)
    }
    return status
  }

  /// The plugins that a person switched off.
  package var switchedOff: [String] {
    settings.map(\.name).filter { switches[$0] == false }
  }

  /// The plugins that refuse what plugins.conf says, and what they do instead.
  package var refusals: [String] {
    settings.map(\.name).compactMap { name in
      proven.refusal(of: name).map { "\(name) \(ProvenSettings.words($0))" }
    }
  }

  private func whyOff(_ name: String) -> String {
    guard settings.contains(where: { $0.name == name }) else {
      return "is not in plugins.conf any more"
    }
    return switches[name] == false ? "is switched off" : "plugins.conf says enabled = no"
  }

  /// Tells the condition of a plugin if it is not what was last told.
  private func tell(_ name: String) {
    guard completions.isEmpty else { return }
    let isListed = settings.contains { $0.name == name }
    let condition = condition(of: name)
    guard conditions[name] != condition, condition != .off || conditions[name] != nil || isListed
    else { return }
    conditions[name] = condition
    if !isListed, condition == .off { conditions[name] = nil }
    changed(name, condition)
  }

  private func condition(of name: String) -> PluginCondition {
    if let plugin = plugins[name], !plugin.isLeaving { return plugin.condition }
    return target(name) == nil ? .off : .starting
  }
}

import CLinux
import Glibc
import TocsinEngine
import TocsinModel
import TocsinTime

/// The shell around the engine: gives it events and the time, and does what it wants done.
///
/// Everything runs on the reactor's thread, which is this actor's executor. Alerts go out before they are
/// recorded; a client's answer waits until its change is on disk.
package actor AlarmService {
  package nonisolated let reactor: Reactor
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    reactor.asUnownedSerialExecutor()
  }

  var options: ServiceOptions
  var table: AlarmTable
  let zones: SystemZones
  let store: Store
  let notification: ServiceNotification
  var control: ControlServer?
  var plugins: PluginSupervisor?
  var watcher: PathWatcher?
  /// Requests whose change is on its way to the disk.
  var waiting: [UInt64: WaitingReply] = [:]
  var lastWaiting: UInt64 = 0
  /// Alerts that sinks may still confirm.
  var receipts: [UInt64: Presentation] = [:]
  /// What is wrong for as long as it is wrong, by what it is about.
  var warnings: [Warning: String] = [:]
  var lastPrune: Instant?
  var isRetrying = false
  /// Changes since the heap was last trimmed.
  private var changesSinceTrim = 0
  var hasReportedReady = false
  var onStopped: @Sendable () -> Void = {}

  enum Warning: Int, Hashable { case store, storeWrite, zone, clock, configuration }

  /// Opens the store and takes its alarms in; `start` lets things happen.
  ///
  /// - Throws: `StoreError` if there is no store to work with: another daemon has it, or it cannot be
  ///   read. Call on the thread that made the reactor or the one that runs it.
  package init(options: ServiceOptions, reactor: Reactor) throws(StoreError) {
    self.options = options
    self.reactor = reactor
    let zones = SystemZones(environment: options.environment)
    self.zones = zones
    notification = ServiceNotification(environment: options.environment)
    let log = options.log
    store = try Store(
      options.store,
      bootID: options.clocks.bootID,
      now: { options.clocks.wallNow() },
      warn: { log(.warning, $0) }
    )
    var local: Zone?
    do throws(ZoneError) {
      local = try zones.system()
    } catch {
      warnings[.zone] = "\(error)"
      log(.error, "\(error); alarms on the wall clock wait, countdowns and fixed instants go on")
    }
    var table = AlarmTable(
      rules: options.configuration.daemon.rules,
      zones: Zones(local: local, named: { zones.zone(named: $0) })
    )
    let now = Now(wall: options.clocks.wallNow(), boot: options.clocks.bootNow())
    let trust = options.clockTrust()
    _ = table.handle(
      .clockSynchronised(trust.isSynchronised || trust.hasBatteryClock),
      now: now
    )
    var problems = store.warnings
    problems += try store.load(wallNow: now.wall, bootNow: now.boot) { table.restore($0) }
    if !problems.isEmpty { warnings[.store] = problems.joined(separator: " ") }
    for problem in problems { log(.error, problem) }
    self.table = table
  }

  /// Listens, starts the plugins, and handles what came due meanwhile.
  ///
  /// - Throws: one sentence about what keeps it from serving.
  package func start() throws(ServiceStartError) {
    try serve()
    guard options.rings else { return }
    reactor.onWallDeadline = { [unowned service = self] in service.assumeIsolated { $0.run(.tick) }
    }
    reactor.onBootDeadline = { [unowned service = self] in service.assumeIsolated { $0.run(.tick) }
    }
    reactor.onClockStep = { [unowned service = self] in service.assumeIsolated { $0.clockStepped() }
    }
    watchZone()
    watchClock()
    startPlugins()
    run(.started)
    prune()
    try? notification.send(.ready, .status(statusLine))
    hasReportedReady = true
    notification.feedWatchdog(on: reactor)
    giveMemoryBackWhenQuiet(after: changesSinceTrim)
  }

  /// Withdraws what is presented, stores what is queued and answers for it, and stops the reactor.
  package func stop() {
    try? notification.send(.stopping)
    let finish = { [self] in
      store.close()
      // Behind the answers to all that was just stored: whoever ended an alarm is told so.
      reactor.post { self.assumeIsolated { $0.disconnect() } }
      reactor.stop()
    }
    guard let plugins else { return finish() }
    plugins.stop(finish)
  }

  private func disconnect() {
    control?.close()
    // The socket's file goes with it, whoever still holds the service.
    control = nil
    onStopped()
  }

  /// Calls `body` once the service has stopped.
  package func whenStopped(_ body: @escaping @Sendable () -> Void) {
    onStopped = body
  }

  /// Serves one end of a socket pair, for a program that runs the service itself.
  package func adopt(_ descriptor: Int32) {
    control?.add(owning: descriptor)
  }

  var now: Now {
    Now(wall: options.clocks.wallNow(), boot: options.clocks.bootNow())
  }

  // MARK: - Events and effects

  /// Lets an event happen, does what follows from it, and answers whoever asked.
  func run(_ event: EngineEvent, for reply: WaitingReply? = nil) {
    let moment = now
    var changes: [StoreChange] = []
    var reply = reply
    for effect in table.handle(event, now: moment) {
      switch effect {
      case .present(let presentation):
        if presentation.state == .alerting { receipts[presentation.seq] = presentation }
        broadcast(.present(presentation))
      case .clear(let cleared):
        forgetReceipts(of: cleared.occurrence)
        broadcast(.cleared(cleared))
      case .miss(let missed): broadcast(.missed(missed))
      case .secondary(let secondary): broadcast(.secondary(secondary))
      case .save(let record): changes.append(.save(record))
      case .delete(let id): changes.append(.delete(id))
      case .record(let entry): changes.append(.record(entry))
      case .accept(let status): reply?.accepted.append(status)
      case .reject(let error): reply?.rejected.append(error)
      }
    }
    rearm(moment)
    guard !changes.isEmpty else {
      if let reply { answer(reply) }
      return
    }
    commit(changes, for: reply)
  }

  private func rearm(_ moment: Now) {
    let deadlines = table.deadlines(now: moment)
    reactor.wallDeadline = deadlines.wall
    reactor.bootDeadline = deadlines.boot
    if hasReportedReady { reportStatus() }
  }

  private func commit(_ changes: [StoreChange], for reply: WaitingReply?) {
    noteChange()
    guard let reply else {
      store.commit(changes) { [self] error in
        if let error { reactor.post { self.assumeIsolated { $0.storeFailed(error) } } }
      }
      return
    }
    lastWaiting += 1
    let id = lastWaiting
    waiting[id] = reply
    // A new alarm that the disk refuses was never accepted, so it must not turn up later.
    store.commit(changes, keepOnFailure: reply.newAlarm == nil) { [self] error in
      reactor.post { self.assumeIsolated { $0.committed(id, error) } }
    }
  }

  /// Counts a change towards the next quiet moment; after many, memory is given back in it.
  private func noteChange() {
    changesSinceTrim += 1
    if changesSinceTrim == 256 { giveMemoryBackWhenQuiet(after: changesSinceTrim) }
  }

  /// Waits until nothing has changed for a few seconds; only then, and once, it wakes the loop.
  private func giveMemoryBackWhenQuiet(after seen: Int) {
    reactor.after(.seconds(3)) { [self] in
      assumeIsolated { service in
        guard service.changesSinceTrim == seen else {
          return service.giveMemoryBackWhenQuiet(after: service.changesSinceTrim)
        }
        service.changesSinceTrim = 0
        tocsin_give_memory_back()
      }
    }
  }

  private func committed(_ id: UInt64, _ error: StoreError?) {
    guard var reply = waiting.removeValue(forKey: id) else { return }
    if let error {
      storeFailed(error)
      if let alarm = reply.newAlarm {
        run(.revoked(alarm))
        reply.rejected = [ServiceError(.storage, "not accepted: \(error)")]
      } else {
        reply.rejected = [
          ServiceError(
            .storage,
            "done, but a restart would undo it until it is stored: \(error)"
          )
        ]
      }
    } else if warnings[.storeWrite] != nil, !store.hasPending {
      warnings[.storeWrite] = nil
      options.log(.info, "the store takes changes again")
    }
    answer(reply)
  }

  private func storeFailed(_ error: StoreError) {
    if warnings.updateValue("\(error)", forKey: .storeWrite) == nil {
      options.log(.critical, "\(error); alarms go on ringing from memory")
    }
    retryStoreLater()
  }

  /// While changes wait for the disk, and only then, it is tried again every half minute.
  private func retryStoreLater() {
    guard !isRetrying, store.hasPending else { return }
    isRetrying = true
    reactor.after(.seconds(30)) { [self] in
      assumeIsolated { service in
        service.isRetrying = false
        service.store.retry { error in
          service.reactor.post { service.assumeIsolated { $0.retried(error) } }
        }
      }
    }
  }

  private func retried(_ error: StoreError?) {
    if let error {
      storeFailed(error)
    } else {
      warnings[.storeWrite] = nil
      options.log(.info, "the store takes changes again")
    }
  }

  /// Forgets history that is too old, at most once a day and only when there is other work.
  func prune() {
    let wall = now.wall
    if let lastPrune, wall - lastPrune < .seconds(86_400) { return }
    lastPrune = wall
    store.prune(before: wall - options.configuration.daemon.history)
  }
}

/// Why a service could not start, as one sentence.
package struct ServiceStartError: Error, CustomStringConvertible {
  package var message: String
  package var description: String { message }
}

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
  /// The zones that are watched because alarms name them.
  var followedZones = FollowedZones()
  /// Requests whose change is on its way to the disk.
  var waiting: [UInt64: WaitingReply] = [:]
  /// Those among them whose answers are to be made while the disk works.
  var unprepared: [UInt64] = []
  var lastWaiting: UInt64 = 0
  /// New alarms on their way to the disk, and whether more was stored of them since.
  var unsure: [AlarmID: Bool] = [:]
  /// Who presents what.
  var router: Router
  /// What programs are still to run.
  var intents = IntentQueue()
  /// The programs that want to know of each change to their alarms.
  var followers = Followers()
  /// The programs that have asked for leave to set alarms since the start, the first to ask first.
  var programsThatAsked: [String] = []
  /// What is wrong for as long as it is wrong, by what it is about.
  var warnings: [Warning: String] = [:]
  /// When history was last forgotten, by the clock since boot.
  var lastPrune: BootTime?
  /// How far the wall clock was ahead of the clock since boot when last seen.
  var lastOffset: Int64?
  /// What the service manager was last told.
  var reportedStatus: String?
  var retryTimer: TimerToken?
  var clockTimer: TimerToken?
  /// Changes since memory was last given back.
  var changesSinceTrim = 0
  var memoryTimer: TimerToken?
  var statusTimer: TimerToken?
  var hasReportedReady = false
  var isStopping = false
  /// Time that passes on clocks that are moved by hand.
  var passage: Passage?
  var onStopped: @Sendable () -> Void = {}

  enum Warning: Int, Hashable {
    case store, storeWrite, zone, zoneFile, clock, configuration, group, socket
  }

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
      rules: options.configuration.daemon.realRules,
      zones: Zones(local: local, named: { zones.zone(named: $0) })
    )
    let now = Now(wall: options.clocks.wallNow(), boot: options.clocks.bootNow())
    let trust = options.trust
    _ = table.handle(
      .clockSynchronised(trust.isSynchronised || trust.hasBatteryClock),
      now: now
    )
    var problems = store.warnings
    table.reserve(try store.alarmCount())
    problems += try store.load(wallNow: now.wall, bootNow: now.boot) { table.restore($0) }
    let owed = try store.owedIntents()
    intents.restore(owed)
    problems += owed.faults
    if !problems.isEmpty { warnings[.store] = problems.joined(separator: " ") }
    for problem in problems { log(.error, problem) }
    self.table = table
    router = Router(routes: options.configuration.routes)
  }

  /// Listens, starts the plugins, and handles what came due meanwhile.
  ///
  /// - Throws: one sentence about what keeps it from serving.
  package func start() throws(ServiceStartError) {
    try serve()
    guard options.rings else { return expectSinks() }
    watchTime()
    watchZones()
    watchClock()
    startPlugins()
    run(.started)
    readZonesAgain()
    prune(now)
    shareCommits()
    hasReportedReady = true
    reportedStatus = statusLine
    try? notification.send(.ready, .status(statusLine))
    notification.feedWatchdog(on: reactor)
    giveMemoryBackWhenQuiet(after: changesSinceTrim)
  }

  /// Withdraws what is presented, stores what is queued, answers who waits for it, and stops the
  /// reactor; a second time it does nothing.
  package func stop() {
    guard !isStopping else { return }
    isStopping = true
    try? notification.send(.stopping)
    control?.stopListening()
    forgetTime()
    tellAllClients(.bye)
    // A job behind all that is queued: whoever waits for a change hears of it before the end.
    store.retry { [self] _ in
      reactor.post { self.assumeIsolated { $0.control?.close() } }
    }
    guard let plugins else { return finishStopping() }
    plugins.stop { [self] in assumeIsolated { $0.finishStopping() } }
  }

  private func finishStopping() {
    store.close()
    reactor.onRoundEnd = {}
    // Behind the answers that the store's end has handed in.
    reactor.post { [self] in
      assumeIsolated { service in
        service.control?.close()
        service.onStopped()
        service.onStopped = {}
        service.reactor.stop()
      }
    }
  }

  /// Lets the machine's clocks say when something is due.
  private func watchTime() {
    guard !options.clocks.areMovedByHand else { return }
    reactor.onWallDeadline = { [unowned service = self] in
      service.assumeIsolated { $0.deadlineReached() }
    }
    reactor.onBootDeadline = { [unowned service = self] in
      service.assumeIsolated { $0.deadlineReached() }
    }
    reactor.onClockStep = { [unowned service = self] in
      service.assumeIsolated { $0.clockStepped() }
    }
  }

  /// Lets nothing come due any more.
  private func forgetTime() {
    (reactor.wallDeadline, reactor.bootDeadline) = (nil, nil)
    reactor.onWallDeadline = {}
    reactor.onBootDeadline = {}
    reactor.onClockStep = {}
    endPassage()
    watcher?.cancel()
    watcher = nil
    for timer in [retryTimer, clockTimer, memoryTimer, statusTimer] { timer.map(reactor.cancel) }
    (retryTimer, clockTimer, memoryTimer, statusTimer) = (nil, nil, nil, nil)
  }

  /// Calls `body` once the service has stopped.
  package func whenStopped(_ body: @escaping @Sendable () -> Void) {
    onStopped = body
  }

  /// Serves one end of a socket pair, for a program that runs the service itself.
  package func adopt(_ descriptor: Int32) {
    adopt(descriptor, from: nil)
  }

  /// Serves one end of a connection whose other end is known.
  ///
  /// - Parameters:
  ///   - descriptor: a stream socket that does not block; closed in the end.
  ///   - peer: who is at the other end; nil asks the kernel.
  func adopt(_ descriptor: Int32, from peer: Peer?) {
    guard let control, !isStopping else {
      close(descriptor)
      return
    }
    control.add(owning: descriptor, from: peer)
  }

  var now: Now {
    Now(wall: options.clocks.wallNow(), boot: options.clocks.bootNow())
  }
}

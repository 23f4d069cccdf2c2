import Foundation
import Glibc
import ProcessTesting
import TocsinClient
import TocsinModel
import TocsinTime

/// One store's life: a few times a daemon is struck, started again, and held to what was acknowledged.
final class Round {
  let folder: String
  private(set) var tally = Tally()
  /// What happened, for whoever reads of a failure.
  private(set) var story: [String] = []

  private let options: Options
  private let control: FaultControl
  private let daemon: Daemon
  private let trace: String?
  private let isPowerRound: Bool
  private var random: SeededGenerator
  private var ledger = Ledger()
  private var keeps: Bool
  private static let cycles = 3

  init(_ number: Int, _ options: Options) throws {
    self.options = options
    keeps = options.keepsAll
    random = SeededGenerator(state: options.seed &* 1_000_003 &+ UInt64(number))
    let kinds = options.only.isEmpty ? Strike.Kind.allCases : options.only
    // A record is kept of every operation where the power may go.
    isPowerRound =
      kinds == [.power]
      || kinds.contains(.power) && Int.random(in: 0..<3, using: &random) == 0
    var template = Array("/tmp/tocsin-torture.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no folder can be made in /tmp") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    control = try FaultControl("\(folder)/control")
    trace = isPowerRound ? "\(folder)/trace" : nil
    daemon = try Daemon(folder, control: control, library: options.library, trace: trace)
  }

  deinit {
    if !keeps { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Leaves its folder where it is.
  func keep() { keeps = true }

  /// - Throws: `Failure` with what was promised and did not hold.
  func play() throws {
    for _ in 0..<Self.cycles {
      var kinds = options.only.isEmpty ? Strike.Kind.allCases : options.only
      kinds = isPowerRound ? [.power] : kinds.filter { $0 != .power }
      let strike = Strike.random(kinds, using: &random)
      story.append("\(strike)")
      let base = trace == nil ? nil : try PowerCut.Base(daemon.stateFolder)
      if let trace { unlink(trace) }
      let before = control.count
      let struck = control.struck
      try live(through: strike)
      control.disarm()
      try daemon.kill()
      if strike.kind == .kill || strike.kind == .power || control.struck > struck {
        tally.struck[strike.name, default: 0] += 1
      }
      var kept = UInt64.max
      if let base, let trace {
        kept = .random(in: before...max(before, control.count), using: &random)
        story.append("the power goes after operation \(kept) of \(before)...\(control.count)")
        try PowerCut(base, trace: trace, after: kept).apply(using: &random)
      }
      try judge(after: kept)
      tally.cycles += 1
    }
    tally.rounds += 1
  }

  /// Starts the daemon, asks it this and that, and lets it be struck.
  private func live(through strike: Strike) throws {
    if strike.isAtStart { control.arm(strike) }
    guard try daemon.start() else {
      guard strike.isAtStart, strike.action != .none else {
        throw Failure("it does not start: \(daemon.words())")
      }
      return
    }
    guard let connection = try? daemon.connect(), let events = try? daemon.connect(),
      (try? events.request(.subscribe, within: patience)) != nil
    else {
      guard strike.action != .none else { throw Failure("it does not answer") }
      return
    }
    if !strike.isAtStart { control.arm(strike) }
    var traffic = Traffic(
      connection: connection,
      control: control,
      isDiskFailing: strike.kind == .error,
      random: SeededGenerator(state: random.next()),
      ledger: ledger
    )
    defer {
      ledger = traffic.ledger
      tally.add(traffic.tally)
    }
    var isThere = true
    for _ in 0..<strike.requests where isThere {
      isThere = try traffic.someRequest(now: wallClock())
      try watch(events, &traffic)
    }
    guard strike.kind == .error, isThere else {
      if isThere || strike.kind == .operation { return }
      throw Failure("the daemon ended by itself: \(daemon.words())")
    }
    try recover(connection, &traffic)
  }

  /// The disk works again: what was not stored is, with the next that is.
  private func recover(_ connection: Connection, _ traffic: inout Traffic) throws {
    control.disarm()
    traffic.isDiskFailing = false
    let alarm = Alarm(
      id: AlarmID(using: &random),
      title: "after the fault",
      countdown: CountdownDuration(preAlert: 86_400)
    )
    do {
      try connection.request(.schedule(alarm), within: patience)
    } catch {
      throw Failure("the disk is well again, and the daemon is not: \(error)")
    }
    traffic.ledger.adopt(try all(connection), at: control.count)
  }

  /// Takes what a sink would have been told.
  private func watch(_ events: Connection, _ traffic: inout Traffic) throws {
    while let incoming = try? events.receive() {
      guard case .event(.present(let shown)) = incoming, shown.state == .alerting else { continue }
      tally.rings += 1
      if let other = traffic.ledger.ring(shown) {
        throw Failure("\(shown.title) of \(shown.due) rang as \(other) and as \(shown.occurrence)")
      }
    }
  }

  /// Starts a daemon on what is left, and looks at what it makes of it.
  private func judge(after count: UInt64) throws {
    guard try daemon.start() else { throw Failure("it does not start: \(daemon.words())") }
    let connection = try daemon.connect()
    let asked = wallClock()
    try connection.request(.subscribe, within: patience)
    var sync: [Presentation] = []
    while case .event(let message) = try connection.receive(within: patience) {
      guard case .sync(let all) = message else { continue }
      sync = all
      break
    }
    let alarms = try all(connection)
    var history: [HistoryEntry] = []
    try connection.request(.history(Request.HistoryFilter(limit: 10_000)), within: patience) {
      if case .entry(_, let entry) = $0 { history.append(entry) }
    }
    try Verdict(
      ledger: ledger,
      count: count,
      alarms: alarms,
      sync: sync,
      history: history,
      asked: asked,
      answered: wallClock()
    ).check()
    ledger.adopt(alarms, at: control.count, keeping: count)
    let names = try FileManager.default.contentsOfDirectory(atPath: daemon.stateFolder)
    tally.recoveries += names.count { $0.contains(".damaged-") && !$0.hasSuffix("-wal") }
    guard try daemon.end() == 0 else { throw Failure("it does not end in order") }
  }

  private func all(_ connection: Connection) throws -> [AlarmStatus] {
    var alarms: [AlarmStatus] = []
    try connection.request(.list(Request.ListFilter()), within: patience) {
      if case .alarm(_, let status) = $0 { alarms.append(status) }
    }
    return alarms
  }
}

/// The wall clock in milliseconds, as the protocol tells it.
func wallClock() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Instant(
    microseconds: (Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000) * 1_000
  )
}

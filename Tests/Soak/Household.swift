import Glibc
import ProcessTesting
import TocsinClient
import TocsinModel
import TocsinService
import TocsinTime

/// The service on clocks that are moved by hand, with real plugins, a real store and real clients.
final class Household {
  let folder: TemporaryFolder
  let service: EmbeddedService
  /// What the service warned of; the newest few.
  let log = Lock<[String]>([])
  private let clocks: ManualClocks
  private let watcher: Connection
  private let person: Connection
  private let environment: [String: String]
  private var oldest = Day.first
  /// Bytes of each week's copy of the store.
  private(set) var copies: [Int] = []

  /// The record is kept for so many days.
  static let history: Int64 = 7
  static let sinks = ["console", "lamp", "hook"]

  init(plugins: String) throws {
    folder = try TemporaryFolder()
    let path = folder.path
    for name in ["trigger", "brightness", "console", "hook"] {
      Glibc.close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o644))
    }
    // The console's output is a file: a service inside a program leaves standard output to it.
    let text = """
      [daemon]
      snooze = \(Day.snooze)s
      ring-for = \(Day.ringFor)s
      auto-snooze = \(Day.autoSnooze)
      late-grace = 30min
      history = \(Self.history)d
      [plugin console]
      run = sh -c 'exec "$0" 2>>\(path)/console' \(Program.directory)/tocsin-console
      format = json
      [plugin lamp]
      run = \(plugins)/blink.sh
      led = \(path)
      [plugin hook]
      run-on-alert = sh -c 'echo "$TOCSIN_TITLE" >>\(path)/hook'
      run-on-cleared = true
      audible = yes

      """
    let configuration = try Configuration([Configuration.Source(name: "plugins.conf", text: text)])
    clocks = ManualClocks(wall: Instant(seconds: Day.first))
    environment = ["PATH": "/usr/bin:/bin", "HOME": path, "TOCSIN_SOCKET": "\(path)/socket"]
    let zone = Day.zones[0]
    var options = ServiceOptions(
      environment: environment.merging(["TZ": zone]) { $1 },
      programDirectory: Program.directory
    )
    options.configuration = configuration
    options.store = .file("\(path)/alarms.db")
    options.socket = "\(path)/socket"
    options.clocks = clocks
    options.log = Log(least: .warning) { [log] _, text in
      log.withLock { $0 = $0.suffix(19) + [text] }
    }
    service = try EmbeddedService(options)
    watcher = Connection(adopting: service.connection, path: "the service")
    person = try Connection(to: "\(path)/socket")
    try watcher.request(.subscribe)
    _ = try sinksWhenReady()
  }

  /// Lives through a day.
  ///
  /// - Returns: all that was not as it has to be, in sentences.
  func live(_ day: Day) throws -> [String] {
    var seen = Seen()
    for (at, deed) in day.deeds {
      service.advance(to: Instant(seconds: at))
      do { try perform(deed) } catch { throw Failure("\(deed) at \(at - day.start) s: \(error)") }
      try watch(&seen)
    }
    service.advance(to: Instant(seconds: day.start + 86_400))
    try watch(&seen)
    let faults = seen.faults(of: day) + (try files(day, seen)) + (try state(day))
    return faults.map { "day \(day.number): \($0)" }
  }

  private func perform(_ deed: Day.Deed) throws {
    switch deed {
    case .ask(let body): try person.request(body)
    case .command(let words):
      let result = try Program.run(["tocsin"] + words, environment: environment)
      if result.code != 0 { throw Failure("tocsin ended with \(result.code): \(result.err)") }
    case .zone(let name): try service.setZone(name)
    case .step(let seconds): service.step(by: .seconds(seconds))
    case .sleep(let seconds): service.sleep(for: .seconds(seconds))
    case .kill(let name):
      let before = try sinksWhenReady()
      guard let pid = before[name] else { throw Failure("\(name) has no process") }
      Glibc.kill(pid, SIGKILL)
      let limit = ContinuousClock.now + patience
      while try sinksWhenReady()[name] == pid {
        if ContinuousClock.now > limit { throw Failure("\(name) is not started again") }
        usleep(5_000)
      }
    case .visit:
      let path = "\(folder.path)/socket"
      for _ in 0..<4 { try Connection(to: path).request(.list(.init())) }
      try Connection(to: path).request(.subscribe)
      let rude = try Connection(to: path)
      _ = #"{"type":"li"#.withCString { send(rude.fileDescriptor, $0, 11, Int32(MSG_NOSIGNAL)) }
      rude.close()
    }
  }

  /// Takes all events that have been sent.
  private func watch(_ seen: inout Seen) throws {
    try watcher.request(.next)
    while let incoming = try watcher.receive() {
      if case .event(let event) = incoming { seen.take(event) }
    }
  }

  /// The processes of the sinks that have one, once all are ready.
  func sinksWhenReady() throws -> [String: pid_t] {
    let limit = ContinuousClock.now + patience
    while true {
      var sinks: [SinkStatus] = []
      try person.request(.sinks) { if case .sink(_, let sink) = $0 { sinks.append(sink) } }
      let missing = sinks.filter { $0.state != "ready" && $0.sink != "hook" }
      if missing.isEmpty, sinks.count >= Self.sinks.count {
        let pairs = sinks.compactMap { sink in sink.pid.map { (sink.sink, $0) } }
        return Dictionary(pairs) { $1 }
      }
      if ContinuousClock.now > limit { throw Failure("not ready: \(missing)") }
      usleep(5_000)
    }
  }

  // MARK: - What the day left behind

  /// What the console and the hook wrote.
  private func files(_ day: Day, _ seen: Seen) throws -> [String] {
    var faults: [String] = []
    let alert = #""type":"alert""#
    let shown = try take("console").split(separator: "\n").filter { $0.contains(alert) }.count
    let run = try take("hook").split(separator: "\n").map(String.init)
    // A console that was started again shows once more what rings.
    let fits = day.hasDeath ? shown >= day.rings.count - 1 : shown == day.rings.count
    if !fits { faults.append("the console showed \(shown) of \(day.rings.count) rings") }
    if run.sorted() != day.rings.map(\.title).sorted() { faults.append("the hook ran for \(run)") }
    return faults
  }

  /// Reads a file and empties it.
  private func take(_ name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    let text = try readText(path)
    truncate(path, 0)
    return text
  }

  /// What the service says of itself at the end of a day.
  private func state(_ day: Day) throws -> [String] {
    var faults: [String] = []
    let status = try person.request(.status).status
    if status?.alerting != 0 { faults.append("\(status?.alerting ?? -1) alarms ring at midnight") }
    if status?.alarms != 2 { faults.append("\(status?.alarms ?? -1) alarms are left, not 2") }
    // Whether this machine can be woken is no matter of use.
    let warnings = (status?.warnings ?? []).filter { !$0.contains("woken from suspend") }
    if !warnings.isEmpty { faults.append("warnings: \(warnings)") }
    guard day.number % Int(Self.history) == 6 else { return faults }
    try person.request(.history(.init(limit: 100_000))) {
      if case .entry(_, let entry) = $0 { oldest = entry.at.microseconds / 1_000_000 }
    }
    try copyStore()
    let age = day.start + 86_400 - oldest
    // What is too old goes once a day, with the first change after that.
    if age > (Self.history + 2) * 86_400 { faults.append("the record goes back \(age / 3_600) h") }
    return faults
  }

  /// Makes a copy of the store, as a household does once a week, and keeps its size.
  ///
  /// The store itself is as large as its log has been, which quiet moments of real time decide.
  private func copyStore() throws {
    let path = "\(folder.path)/copy.db"
    try person.request(.backup(path: path))
    copies.append(size(of: path))
    unlink(path)
  }
}

import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

/// Plugins in a temporary directory, and the loop that runs them on the test's own thread.
final class PluginBench {
  let reactor: Reactor
  let directory: TemporaryDirectory
  var presentations: [Presentation] = []
  /// What a sink presents of its own, if not all.
  var views: [String: [Presentation]] = [:]
  private(set) var conditions: [(sink: String, condition: PluginCondition)] = []
  private(set) var reports: [(sink: String, report: SinkReport)] = []
  private(set) var logs: [String] = []
  private(set) var supervisor: PluginSupervisor?
  private var condition: () -> Bool = { false }
  /// The store that plugins are not to see.
  var store: StoreFiles?
  var environment = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/secret", "LANG": "C"]

  init() throws {
    reactor = try Reactor(usesAlarmClocks: false)
    directory = try TemporaryDirectory()
  }

  /// Writes an executable script; a shell's begins by saying that it is ready.
  @discardableResult
  func script(_ name: String, _ body: String, isGreeting: Bool = true) throws -> PluginSettings {
    let greeting = """
      #!/bin/sh
      ready() { echo '{"type":"ready","name":"t","version":"1"}'; }
      seq() { s=${1#*'"seq":'}; echo "${s%%[!0-9]*}"; }
      """
    let text =
      body.hasPrefix("#!") ? body : "\(greeting)\n\(isGreeting ? "read hello; ready" : "")\n\(body)"
    let file = try directory.write(name, text)
    chmod(file, 0o755)
    return PluginSettings(name: name, run: [name])
  }

  /// What a script may wait at.
  func gate() throws -> Gate { try Gate("\(directory.path)/gate") }

  func start(_ settings: [PluginSettings], standardOutput: Int32 = -1) {
    let supervisor = PluginSupervisor(
      settings: settings,
      reactor: reactor,
      log: { [unowned self] _, text in
        logs.append(text)
        check()
      },
      snapshot: { [unowned self] sink in views[sink] ?? presentations },
      report: { [unowned self] sink, report in
        reports.append((sink, report))
        check()
      },
      changed: { [unowned self] sink, condition in
        conditions.append((sink, condition))
        check()
      },
      environment: environment,
      store: store,
      programDirectory: directory.path,
      standardOutput: standardOutput
    )
    self.supervisor = supervisor
    supervisor.start()
  }

  private func check() {
    if condition() { reactor.stop() }
  }

  /// Runs the loop until the condition holds after a report or a line of the log.
  func run(
    _ what: Comment,
    until condition: @escaping () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard !condition() else { return }
    self.condition = condition
    let limit = reactor.after(.seconds(30)) { [unowned self] in
      Issue.record("\(what); \(reports) \(logs)", sourceLocation: sourceLocation)
      reactor.stop()
    }
    try reactor.run()
    reactor.cancel(limit)
    self.condition = { false }
  }

  /// Ends all plugins and expects that no process is left.
  func finish(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let pids = statuses.compactMap(\.pid)
    var isStopped = false
    supervisor?.stop { [unowned self] in
      isStopped = true
      reactor.stop()
    }
    try reactor.run()
    #expect(isStopped, sourceLocation: sourceLocation)
    for pid in pids { #expect(kill(pid, 0) == -1, sourceLocation: sourceLocation) }
  }

  var statuses: [SinkStatus] { supervisor?.statuses ?? [] }

  func count(_ sink: String, _ matches: (SinkReport) -> Bool) -> Int {
    reports.count { $0.sink == sink && matches($0.report) }
  }

  /// What was last told of what may be expected of a plugin.
  func last(_ sink: String) -> PluginCondition? {
    conditions.last { $0.sink == sink }?.condition
  }

  func readyCount(_ sink: String) -> Int {
    count(sink) { if case .ready = $0 { true } else { false } }
  }

  var confirmed: [UInt64] {
    reports.compactMap { if case .presented(let seq) = $0.report { seq } else { nil } }
  }
}

/// An alert of the occurrence with that number.
func alert(_ number: Int, seq: UInt64) -> Presentation {
  Presentation(
    seq: seq,
    occurrence: occurrence(number),
    title: "Tea \(number)",
    kind: .timer,
    state: .alerting,
    due: Instant(seconds: 0)
  )
}

/// The end of the occurrence with that number.
func cleared(_ number: Int, seq: UInt64) -> SinkMessage {
  .cleared(
    SinkMessage.Cleared(
      seq: seq,
      occurrence: occurrence(number),
      title: "",
      reason: .stopped,
      source: nil
    )
  )
}

/// Answers every event and ping, and ends at `bye`.
let obedient = """
  while read -r line; do
    case $line in
      *'"type":"ping"'*) echo '{"type":"pong"}';;
      *'"type":"bye"'*) exit 0;;
      *'"type":"sync"'*) echo '{"type":"log","message":"sync"}';;
      *) echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}";;
    esac
  done
  """

import CLinux
import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

/// Plugins in a temporary directory, and the loop that runs them on the test's own thread.
private final class Bench {
  let reactor: Reactor
  let directory: TemporaryDirectory
  var presentations: [Presentation] = []
  private(set) var reports: [(sink: String, report: SinkReport)] = []
  private(set) var logs: [String] = []
  private(set) var supervisor: PluginSupervisor?
  private var condition: () -> Bool = { false }
  private var environment = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/secret", "LANG": "C"]

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

  func start(_ settings: [PluginSettings], standardOutput: Int32 = -1) {
    let supervisor = PluginSupervisor(
      settings: settings,
      reactor: reactor,
      log: { [unowned self] _, text in
        logs.append(text)
        check()
      },
      snapshot: { [unowned self] in presentations },
      report: { [unowned self] sink, report in
        reports.append((sink, report))
        check()
      },
      environment: environment,
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

  func readyCount(_ sink: String) -> Int {
    count(sink) { if case .ready = $0 { true } else { false } }
  }

  var confirmed: [UInt64] {
    reports.compactMap { if case .presented(let seq) = $0.report { seq } else { nil } }
  }
}

private func alert(_ number: Int, seq: UInt64) -> Presentation {
  Presentation(
    seq: seq,
    occurrence: occurrence(number),
    title: "Tea \(number)",
    kind: .timer,
    state: .alerting,
    due: Instant(seconds: 0)
  )
}

private func cleared(_ number: Int, seq: UInt64) -> SinkMessage {
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
private let obedient = """
  while read -r line; do
    case $line in
      *'"type":"ping"'*) echo '{"type":"pong"}';;
      *'"type":"bye"'*) exit 0;;
      *'"type":"sync"'*) echo '{"type":"log","message":"sync"}';;
      *) echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}";;
    esac
  done
  """

@Suite("Plugins", .timeLimit(.minutes(2)))
struct PluginTests {
  @Test("are told hello, sync and events, and are heard")
  func conversation() throws {
    let bench = try Bench()
    var lamp = try bench.script(
      "lamp",
      """
      read -r hello; echo "$hello" >&2; ready
      \(obedient)
      """,
      isGreeting: false
    )
    lamp.settings = ["led": "GPIO22"]
    bench.start([lamp])
    try bench.run("sync") { bench.logs.contains("lamp: sync") }
    #expect(
      bench.logs.contains(
        #"lamp: {"type":"hello","protocol":1,"sink":"lamp","settings":{"led":"GPIO22"}}"#
      )
    )
    bench.supervisor?.send(.present(alert(1, seq: 7)))
    try bench.run("receipt") { bench.confirmed == [7] }
    bench.supervisor?.send(cleared(1, seq: 8), to: "lamp")
    bench.supervisor?.send(cleared(1, seq: 9), to: "nobody")
    try bench.run("receipt") { bench.confirmed == [7, 8] }
    let status = try #require(bench.statuses.first)
    #expect(status.state == "ready" && status.restarts == 0 && status.ready?.name == "t")
    try bench.finish()
  }

  @Test("start clean: own group, no new privileges, no inherited descriptor, signal or secret")
  func cleanStart() throws {
    let bench = try Bench()
    var pipeEnds: [Int32] = [0, 0]
    #expect(tocsin_pipe(&pipeEnds) == 0)
    let leak = open("/dev/null", O_RDONLY)
    signal(SIGPIPE, SIG_IGN)
    // As `sh -c`, so that the shell has no script open.
    let probe = """
      fd=0; while [ $fd -lt 64 ]; do
        if [ -e /proc/$$/fd/$fd ]; then fds="$fds,$fd"; fi; fd=$((fd + 1))
      done
      echo "fds $fds" >&2
      read -r pid name state parent group rest < /proc/$$/stat
      if [ "$group" = $$ ]; then echo 'own group' >&2; fi
      while read -r key value; do
        case $key in NoNewPrivs:|SigBlk:|SigIgn:) echo "$key $value" >&2;; esac
      done < /proc/$$/status
      while read -r key value; do
        if [ "$key" = flags: ]; then echo "input $((value & 04000))" >&2; fi
      done < /proc/$$/fdinfo/0
      echo "core $(ulimit -c) files $(ulimit -n)" >&2
      echo "environment ${NOTIFY_SOCKET-none} $TOCSIN_SINK $LANG" >&2
      if [ -e /proc/$$/fd/3 ]; then printf printed >&3; fi
      echo '{"type":"ready","name":"t"}'
      while read -r line; do :; done
      """
    var printing = PluginSettings(name: "printing", run: ["/bin/sh", "-c", probe])
    printing.getsStandardOutput = true
    let silent = PluginSettings(name: "silent", run: ["/bin/sh", "-c", probe])
    bench.start([printing, silent], standardOutput: pipeEnds[1])
    try bench.run("both ready") {
      bench.readyCount("printing") == 1 && bench.readyCount("silent") == 1
        && bench.logs.count { $0.contains("environment") } == 2
    }
    #expect(bench.logs.contains("printing: fds ,0,1,2,3"))
    #expect(bench.logs.contains("silent: fds ,0,1,2"))
    for line in [
      "own group", "NoNewPrivs: 1", "SigBlk: 0000000000000000", "SigIgn: 0000000000000000",
      "input 0", "core 0 files 1024", "environment none silent C",
    ] {
      #expect(bench.logs.contains("silent: \(line)"), "\(bench.logs)")
    }
    var printed = [UInt8](repeating: 0, count: 64)
    #expect(read(pipeEnds[0], &printed, 64) == 7)
    try bench.finish()
    close(leak)
    close(pipeEnds[0])
    close(pipeEnds[1])
  }

  @Test("that crash are started again and told what is presented")
  func crash() throws {
    let bench = try Bench()
    bench.presentations = [alert(1, seq: 3)]
    let lamp = try bench.script(
      "lamp",
      """
      while read -r line; do
        case $line in
          *'"presentations":[{'*) echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}";;
          *'"type":"alert"'*) kill -SEGV $$;;
          *'"type":"bye"'*) exit 0;;
        esac
      done
      """
    )
    bench.start([lamp])
    try bench.run("sync") { bench.confirmed == [3] }
    bench.supervisor?.send(.present(alert(2, seq: 4)))
    try bench.run("restart") { bench.readyCount("lamp") == 2 && bench.confirmed.count == 2 }
    #expect(bench.logs.contains("lamp: was ended by signal 11 (Segmentation fault)"))
    #expect(bench.statuses[0].restarts == 1)
    try bench.finish()
  }

  @Test("in a crash loop are started ever more rarely and disturb nobody")
  func crashLoop() throws {
    let bench = try Bench()
    let bad = try bench.script("bad", "echo started >&2; exit 3", isGreeting: false)
    let good = try bench.script("good", obedient)
    bench.start([bad, good])
    try bench.run("four starts") { bench.logs.count { $0 == "bad: started" } == 4 }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("receipt") { bench.confirmed == [1] }
    #expect(bench.statuses[0].restarts >= 3)
    #expect(bench.logs.contains("bad: ended with status 3"))
    try bench.finish()
  }

  @Test("that hang are killed with all they started, and started again")
  func hang() throws {
    let bench = try Bench()
    var pipeEnds: [Int32] = [0, 0]
    #expect(tocsin_pipe(&pipeEnds) == 0)
    // The grandchild holds descriptor 3 open for as long as it lives.
    var lamp = try bench.script("lamp", "/bin/sleep 1000 & exec /bin/sleep 1000")
    lamp.getsStandardOutput = true
    lamp.receiptTimeout = .milliseconds(50)
    bench.start([lamp], standardOutput: pipeEnds[1])
    close(pipeEnds[1])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    var isAlone = false
    try bench.reactor.watch(pipeEnds[0], []) { events in
      if events.contains(.hangUp) {
        isAlone = true
        bench.reactor.unwatch(pipeEnds[0])
        bench.reactor.stop()
      }
    }
    try bench.reactor.run()
    #expect(isAlone)
    try bench.run("restart") { bench.logs.contains("lamp: did not answer in time") }
    try bench.finish()
    close(pipeEnds[0])
  }

  @Test("that close a pipe and hang are killed", arguments: ["exec >&-", "exec <&-"])
  func closedPipe(how: String) throws {
    let bench = try Bench()
    let lamp = try bench.script("lamp", "\(how); exec /bin/sleep 1000")
    bench.start([lamp])
    try bench.run("restart") { bench.readyCount("lamp") == 2 }
    #expect(bench.logs.contains("lamp: closed its pipe but did not end"))
    try bench.finish()
  }

  @Test("that never say ready or say nothing else are stopped all the same, even against SIGTERM")
  func stubborn() throws {
    let bench = try Bench()
    let mute = try bench.script(
      "mute",
      "trap '' TERM; echo up >&2; while :; do /bin/sleep 1000; done",
      isGreeting: false
    )
    bench.start([mute])
    try bench.run("start") { bench.logs.contains("mute: up") }
    #expect(bench.statuses[0].state == "starting")
    try bench.finish()
  }

  @Test("hear bye and may say goodbye before they end")
  func goodbye() throws {
    let bench = try Bench()
    let polite = try bench.script(
      "polite",
      """
      while read -r line; do
        case $line in *'"type":"bye"'*)
          echo '{"type":"intent","action":"stop","target":"alerting"}'; exit 0;;
        esac
      done
      """
    )
    bench.start([polite])
    try bench.run("ready") { bench.readyCount("polite") == 1 }
    try bench.finish()
    #expect(bench.count("polite") { $0 == .intent(Intent(.stop, .alerting)) } == 1)
    // Its SIGTERM would have been logged as the reason of its end.
    #expect(bench.statuses.isEmpty)
  }

  @Test("that flood cannot delay others")
  func flood() throws {
    let bench = try Bench()
    let noisy = try bench.script("noisy", "yes '{\"type\":\"pong\"}' & yes flood >&2")
    let good = try bench.script("good", obedient)
    bench.start([noisy, good])
    try bench.run("both ready") {
      bench.readyCount("noisy") == 1 && bench.readyCount("good") == 1
    }
    for seq in 1...20 as ClosedRange<UInt64> {
      bench.supervisor?.send(.present(alert(1, seq: seq)), to: "good")
      try bench.run("receipt") { bench.confirmed.last == seq }
    }
    try bench.finish()
    // 200 lines in each tenth of a second, whatever the plugin would like.
    #expect(bench.logs.count { $0 == "noisy: flood" } < 10_000)
  }

  @Test("may write garbage and lines of 10 MB: told once, and what follows is understood")
  func garbage() throws {
    let bench = try Bench()
    let messy = try bench.script(
      "messy",
      """
      echo nonsense; echo '{"type":5}'; echo '[]'; printf '\\377\\n\\n'
      head -c 10000000 /dev/zero | tr '\\0' x; echo
      echo '{"type":"new thing","x":1}'
      \(obedient)
      """
    )
    bench.start([messy])
    try bench.run("sync") { bench.logs.contains("messy: sync") }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("receipt") { bench.confirmed == [1] }
    #expect(bench.logs.count { $0.contains("no message") } == 1, "\(bench.logs)")
    try bench.finish()
  }

  @Test("that are being written just now start once that is done")
  func beingWritten() throws {
    let bench = try Bench()
    let settings = try bench.script("upgrade", obedient)
    let file = "\(bench.directory.path)/upgrade"
    let writer = open(file, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    bench.start([settings])
    #expect(bench.statuses.map(\.state) == ["waiting"])
    #expect(bench.logs.contains { $0.contains("Text file busy") })
    close(writer)
    try bench.run("ready") { bench.readyCount("upgrade") == 1 }
    try bench.finish()
  }

  @Test("that are not there are a state with a reason, and are found when an alert needs them")
  func missing() throws {
    let bench = try Bench()
    try bench.directory.write("plain", "not a program")
    try bench.directory.write("foreign", "no interpreter line")
    chmod("\(bench.directory.path)/foreign", 0o755)
    let names = ["nowhere", "plain", "foreign"]
    bench.start(names.map { PluginSettings(name: $0, run: [$0]) })
    #expect(bench.statuses.map(\.state) == ["failed", "failed", "failed"])
    #expect(
      bench.statuses.map(\.reason) == [
        "there is no nowhere beside the daemon or in PATH, install it",
        "\(bench.directory.path)/plain is not executable, chmod +x it",
        "execve \(bench.directory.path)/foreign: Exec format error",
      ]
    )
    try bench.script("nowhere", obedient)
    bench.presentations = [alert(1, seq: 1)]
    // Not faster than every tenth of a second, so the loop has to run.
    bench.supervisor?.send(.present(bench.presentations[0]))
    try bench.run("found") { bench.readyCount("nowhere") == 1 }
    try bench.finish()
  }

  @Test(
    "that do not read while 1,000 events come get the newest of each, and no alert after its stop"
  )
  func notReading() throws {
    let bench = try Bench()
    mkfifo("\(bench.directory.path)/gate", 0o600)
    let slow = try bench.script(
      "slow",
      "read -r sync; echo '{\"type\":\"log\",\"message\":\"waiting\"}'; read -r x < \(bench.directory.path)/gate\n\(obedient)"
    )
    let quick = try bench.script("quick", obedient)
    bench.start([slow, quick])
    try bench.run("both ready") {
      bench.readyCount("quick") == 1 && bench.logs.contains("slow: waiting")
    }
    // Enough for a pipe of 64 KiB to be full several times over.
    for seq in 1...1_000 as ClosedRange<UInt64> {
      bench.supervisor?.send(.present(alert(Int(seq % 20), seq: seq)))
    }
    for number in 1..<20 {
      bench.supervisor?.send(cleared(number, seq: UInt64(1_000 + number)))
    }
    try bench.run("quick's receipts") {
      bench.count("quick") { $0 == .presented(seq: 1_019) } == 1
    }
    let gate = open("\(bench.directory.path)/gate", O_WRONLY)
    write(gate, "\n", 1)
    close(gate)
    try bench.run("the newest") {
      bench.count("slow") { $0 == .presented(seq: 1_000) } == 1
    }
    let seqs = bench.reports.compactMap { entry -> UInt64? in
      if entry.sink == "slow", case .presented(let seq) = entry.report { seq } else { nil }
    }
    #expect(seqs.count < 1_000)
    for number in 1..<20 {
      let stop = try #require(seqs.firstIndex(of: UInt64(1_000 + number)))
      #expect(!seqs[stop...].contains { $0 <= 1_000 && $0 % 20 == number })
    }
    #expect(bench.statuses.map(\.dropped) == [0, 0])
    try bench.finish()
  }

  @Test("that lag behind the limit get one sync instead of what was given up")
  func lagging() throws {
    let bench = try Bench()
    mkfifo("\(bench.directory.path)/gate", 0o600)
    let slow = try bench.script(
      "slow",
      "read -r sync; echo '{\"type\":\"log\",\"message\":\"waiting\"}'; read -r x < \(bench.directory.path)/gate\n\(obedient)"
    )
    bench.start([slow])
    try bench.run("waiting") { bench.logs.contains("slow: waiting") }
    var presentation = alert(0, seq: 0)
    presentation.title = String(repeating: "x", count: 16_000)
    for number in 0..<400 {
      presentation.seq = UInt64(number + 1)
      presentation.occurrence = occurrence(number)
      bench.supervisor?.send(.present(presentation))
    }
    #expect(bench.statuses[0].dropped > 200)
    let gate = open("\(bench.directory.path)/gate", O_WRONLY)
    write(gate, "\n", 1)
    close(gate)
    try bench.run("sync") { bench.logs.contains("slow: sync") }
    try bench.finish()
  }

  @Test("get what is told once also if it came before they were ready")
  func notices() throws {
    let bench = try Bench()
    let lamp = try bench.script("lamp", obedient)
    bench.start([lamp])
    bench.supervisor?.send(
      .missed(
        SinkMessage.Missed(
          seq: 5,
          occurrence: occurrence(1),
          title: "Tea",
          due: Instant(seconds: 0),
          reason: .late
        )
      )
    )
    try bench.run("receipt") { bench.confirmed == [5] }
    try bench.finish()
  }

  @Test("get all that is presented when it does not fit into one line")
  func longSync() throws {
    let bench = try Bench()
    bench.presentations = (0..<300).map {
      var presentation = alert($0, seq: UInt64($0 + 1))
      presentation.title = String(repeating: "y", count: 500)
      return presentation
    }
    let lamp = try bench.script("lamp", obedient)
    bench.start([lamp])
    try bench.run("all") { bench.confirmed.last == 300 }
    let batch = SyncBatch(bench.presentations)
    #expect(batch.sync.count <= JSONLine.limit)
    #expect(bench.confirmed.count == batch.rest.count)
    try bench.finish()
  }

  @Test("whose section did not change run on through a reload")
  func reload() throws {
    let bench = try Bench()
    let names = ["kept", "changed", "removed"]
    var settings = try names.map { try bench.script($0, obedient) }
    bench.start(settings)
    try bench.run("ready") { names.allSatisfy { bench.readyCount($0) == 1 } }
    let pid = bench.statuses[0].pid
    settings[1].settings["led"] = "GPIO1"
    settings[2] = try bench.script("added", obedient)
    for _ in 0..<3 { bench.supervisor?.reload(settings) }
    try bench.run("changed and added") {
      bench.readyCount("changed") == 2 && bench.readyCount("added") == 1
    }
    #expect(bench.statuses.map(\.sink) == ["kept", "changed", "added"])
    #expect(bench.statuses[0].pid == pid && bench.readyCount("kept") == 1)
    settings[0].isEnabled = false
    bench.supervisor?.reload(settings)
    #expect(bench.statuses.map(\.sink) == ["changed", "added"])
    try bench.finish()
  }

  @Test("cost no wake-up while nothing happens")
  func idle() throws {
    let bench = try Bench()
    let lamp = try bench.script("lamp", obedient)
    bench.start([lamp])
    try bench.run("sync") { bench.logs.contains("lamp: sync") }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("receipt") { bench.confirmed == [1] }
    let before = bench.reactor.wakeUps
    bench.reactor.after(.milliseconds(200)) { bench.reactor.stop() }
    try bench.reactor.run()
    #expect(bench.reactor.wakeUps - before <= 1)
    try bench.finish()
  }
}

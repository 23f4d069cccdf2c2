import CLinux
import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("Plugins", .timeLimit(.minutes(10)))
struct PluginTests {
  @Test("are told hello, sync and events, and are heard")
  func conversation() throws {
    let bench = try PluginBench()
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
    bench.supervisor?.send(cleared(1, seq: 8), to: ["lamp"])
    bench.supervisor?.send(cleared(1, seq: 9), to: ["nobody"])
    try bench.run("receipt") { bench.confirmed == [7, 8] }
    let status = try #require(bench.statuses.first)
    #expect(status.state == "ready" && status.restarts == 0 && status.ready?.name == "t")
    try bench.finish()
  }

  @Test("start clean: own group, no new privileges, no inherited descriptor, signal or secret")
  func cleanStart() throws {
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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
    let bench = try PluginBench()
    let lamp = try bench.script("lamp", "\(how); exec /bin/sleep 1000")
    bench.start([lamp])
    try bench.run("restart") { bench.readyCount("lamp") == 2 }
    #expect(bench.logs.contains("lamp: closed its pipe but did not end"))
    try bench.finish()
  }

  @Test("that never say ready or say nothing else are stopped all the same, even against SIGTERM")
  func stubborn() throws {
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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
    let bench = try PluginBench()
    let noisy = try bench.script("noisy", "yes '{\"type\":\"pong\"}' & yes flood >&2")
    let good = try bench.script("good", obedient)
    let start = ContinuousClock.now
    bench.start([noisy, good])
    try bench.run("both ready") {
      bench.readyCount("noisy") == 1 && bench.readyCount("good") == 1
    }
    for seq in 1...20 as ClosedRange<UInt64> {
      bench.supervisor?.send(.present(alert(1, seq: seq)), to: ["good"])
      try bench.run("receipt") { bench.confirmed.last == seq }
    }
    try bench.finish()
    // 200 lines in each tenth of a second, whatever the plugin would like, and what came with the last of
    // them in one reading of 4 KiB: some 680 that are as short as these.
    let tenths = (ContinuousClock.now - start) / .milliseconds(100)
    #expect(Double(bench.logs.count { $0 == "noisy: flood" }) < 900 * (tenths + 2))
  }

  @Test("may answer as many events at once as there are")
  func manyAnswers() throws {
    let bench = try PluginBench()
    let events = 10_000
    var quick = try bench.script(
      "quick",
      """
      sed '/"seq":\(events),/q' >/dev/null
      command seq -f '{"type":"presented","seq":%.0f}' 1 \(events); cat >/dev/null
      """
    )
    quick.receiptTimeout = .seconds(60)
    bench.start([quick])
    try bench.run("ready") { bench.readyCount("quick") == 1 }
    for seq in 1...events {
      bench.supervisor?.send(.present(alert(seq, seq: UInt64(seq))))
    }
    try bench.run("receipts") { bench.reports.count > events }
    #expect(bench.confirmed == (1...events).map(UInt64.init))
    try bench.finish()
  }

  @Test("may write garbage and lines of 10 MB: told once, and what follows is understood")
  func garbage() throws {
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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
    let bench = try PluginBench()
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

  @Test("cost no wake-up while nothing happens")
  func idle() throws {
    let bench = try PluginBench()
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

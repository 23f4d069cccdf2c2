import Glibc
import Testing
import TocsinModel

@testable import TocsinService

/// A way to go wrong, and what it is to be called.
private struct Fault: CustomTestStringConvertible, Sendable {
  var name: String
  var body: String
  var isGreeting = true
  var reason: String

  var testDescription: String { name }
}

private let faults = [
  Fault(
    name: "reads nothing",
    body: "exec sleep 1000",
    reason: "did not answer in time"
  ),
  Fault(
    name: "closes its output and hangs",
    body: "exec >&-; exec sleep 1000",
    reason: "closed its pipe but did not end"
  ),
  Fault(
    name: "closes its input and hangs",
    body: "exec <&-; exec sleep 1000",
    reason: "closed its pipe but did not end"
  ),
  Fault(
    name: "crashes",
    body: "while read -r line; do case $line in *type*:*alert*) kill -SEGV $$;; esac; done",
    reason: "was ended by signal 11 (Segmentation fault)"
  ),
  Fault(
    name: "crashes at once",
    body: "exit 3",
    isGreeting: false,
    reason: "ended with status 3"
  ),
  Fault(
    name: "floods its output and reads nothing",
    body: "exec yes '{\"type\":\"log\",\"message\":\"flood\"}'",
    reason: "did not answer in time"
  ),
  Fault(
    name: "floods its errors and reads nothing",
    body: "while :; do echo flood >&2; done",
    reason: "did not answer in time"
  ),
  Fault(
    name: "writes a line without an end and reads nothing",
    body: "while :; do printf %9999s x; done",
    reason: "did not answer in time"
  ),
  Fault(
    name: "stops itself",
    body: "kill -STOP $$",
    reason: "did not answer in time"
  ),
]

@Suite("Plugins that go wrong", .timeLimit(.minutes(10)))
struct PluginFaultTests {
  @Test("say what it was, and hold up no event of another", arguments: faults)
  fileprivate func fault(_ fault: Fault) throws {
    let bench = try PluginBench()
    var bad = try bench.script("bad", fault.body, isGreeting: fault.isGreeting)
    bad.receiptTimeout = .milliseconds(300)
    let good = try bench.script("good", obedient)
    bench.presentations = [alert(1, seq: 1)]
    bench.start([bad, good])
    try bench.run("good is ready") { bench.readyCount("good") == 1 }
    // One event after the other goes its way until the fault is found, and a while longer.
    var seq: UInt64 = 1
    let line = "bad: \(fault.reason)"
    while seq < 50 || !bench.logs.contains(line) {
      seq += 1
      bench.supervisor?.send(.present(alert(1, seq: seq)))
      try bench.run("receipt") { bench.confirmed.last == seq }
      try #require(seq < 20_000, "\(bench.statuses) \(bench.logs.suffix(9))")
    }
    #expect(bench.confirmed == Array(2...seq))
    let states: Set = ["starting", "ready", "waiting", "failed"]
    #expect(states.contains(bench.statuses[0].state))
    try bench.finish()
  }

  @Test("in a loop count as failed, and as ready once that has worked")
  func loop() throws {
    let bench = try PluginBench()
    let marker = "\(bench.directory.path)/works"
    let lamp = try bench.script(
      "lamp",
      "if ! [ -e \(marker) ]; then exit 4; fi; read -r hello; ready; \(obedient)",
      isGreeting: false
    )
    bench.start([lamp])
    try bench.run("failed") { bench.last("lamp") == .failed("ended with status 4") }
    #expect(bench.statuses.map(\.state) == ["failed"])
    #expect(bench.statuses.map(\.reason) == ["ended with status 4"])
    try bench.directory.write("works", "")
    #expect(bench.supervisor?.setEnabled("lamp", true) == true)
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    #expect(bench.conditions.map(\.sink).allSatisfy { $0 == "lamp" })
    let ready = SinkReport.Ready(name: "t", version: "1", capabilities: [], audible: false)
    #expect(
      bench.conditions.map(\.condition) == [
        .starting, .failed("ended with status 4"), .ready(ready),
      ]
    )
    try bench.finish()
  }

  @Test("and cannot be started say why")
  func notStartable() throws {
    let bench = try PluginBench()
    try bench.directory.write("plain", "not a program")
    try bench.directory.write("orphan", "#!/nowhere/interpreter\n")
    let path = bench.directory.path
    chmod("\(path)/orphan", 0o755)
    mkdir("\(path)/folder", 0o755)
    let names = ["nowhere", "plain", "folder", "orphan"]
    bench.start(names.map { PluginSettings(name: $0, run: [$0]) })
    let reasons = [
      "there is no nowhere beside the daemon or in PATH, install it",
      "\(path)/plain is not executable, chmod +x it",
      "\(path)/folder is not a program",
      "\(path)/orphan needs an interpreter that is not there, see its first line",
    ]
    #expect(bench.statuses.map(\.state) == ["failed", "failed", "failed", "failed"])
    #expect(bench.statuses.map(\.reason) == reasons)
    #expect(bench.conditions.map(\.condition) == reasons.map { .failed($0) })
    // Nobody to be told does not mean a tight loop of attempts.
    #expect(bench.statuses.map(\.restarts) == [0, 0, 0, 0])
    try bench.finish()
  }

  @Test("are gone with all of their group, also with those who let go of everything")
  func group() throws {
    let bench = try PluginBench()
    let path = "\(bench.directory.path)/held"
    mkfifo(path, 0o600)
    let held = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(held >= 0)
    // All that the daemon gave it is closed; what the child opens itself tells of its end.
    let lamp = try bench.script(
      "lamp",
      """
      (exec 9>\(path); trap '' TERM HUP; echo up >&2; exec <&- >&- 2>&-
        while :; do /bin/sleep 1000; done) &
      \(obedient)
      """
    )
    bench.start([lamp])
    try bench.run("both are up") {
      bench.logs.contains("lamp: sync") && bench.logs.contains("lamp: up")
    }
    var isGone = false
    var isStopped = false
    bench.supervisor?.stop {
      isStopped = true
      if isGone { bench.reactor.stop() }
    }
    try bench.reactor.watch(held, []) { _ in
      isGone = true
      bench.reactor.unwatch(held)
      if isStopped { bench.reactor.stop() }
    }
    try bench.reactor.run()
    #expect(isGone && isStopped)
    close(held)
  }
}

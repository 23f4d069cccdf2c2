import Glibc
import Testing
import TocsinModel

@testable import TocsinService

/// Confirms alerts, also those in a `sync`, and answers pings.
private let ringing = """
  while read -r line; do
    case $line in
      *'"type":"ping"'*) echo '{"type":"log","message":"pinged"}'; echo '{"type":"pong"}';;
      *'"type":"bye"'*) exit 0;;
      *'"seq":'*) echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}";;
    esac
  done
  """

@Suite("Plugins while an alert rings", .timeLimit(.minutes(10)))
struct PluginRingingTests {
  @Test("that are killed ring again at once, with their own view of it")
  func killed() throws {
    let bench = try PluginBench()
    let lamp = try bench.script("lamp", ringing)
    let other = try bench.script("other", ringing)
    bench.views = ["lamp": [alert(1, seq: 3)], "other": []]
    bench.start([lamp, other])
    try bench.run("it rings") { bench.confirmed == [3] }
    for round in 1...3 {
      let pid = try #require(bench.statuses[0].pid)
      kill(pid, SIGKILL)
      try bench.run("it rings again") { bench.confirmed.count == 1 + round }
    }
    #expect(bench.confirmed == [3, 3, 3, 3])
    #expect(bench.statuses.map(\.restarts) == [3, 0])
    #expect(bench.readyCount("other") == 1)
    #expect(bench.logs.contains("lamp: was ended by signal 9 (Killed)"))
    try bench.finish()
  }

  @Test("that are stopped are found by a ping, killed, and ring again")
  func stopped() throws {
    let bench = try PluginBench()
    var lamp = try bench.script("lamp", ringing)
    lamp.receiptTimeout = .seconds(1)
    bench.start([lamp])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    bench.presentations = [alert(1, seq: 3)]
    bench.supervisor?.send(.present(bench.presentations[0]))
    try bench.run("it rings") { bench.confirmed == [3] }
    let pid = try #require(bench.statuses[0].pid)
    kill(pid, SIGSTOP)
    try bench.run("it rings again") { bench.confirmed == [3, 3] }
    #expect(bench.logs.contains("lamp: did not answer in time"))
    #expect(bench.statuses[0].pid != pid)
    try bench.finish()
  }

  @Test("are pinged, and no more once nothing rings")
  func pinged() throws {
    let bench = try PluginBench()
    let lamp = try bench.script("lamp", ringing)
    bench.start([lamp])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("a ping") { bench.logs.contains("lamp: pinged") }
    var paused = alert(1, seq: 2)
    paused.state = .paused
    bench.supervisor?.send(.present(paused))
    try bench.run("receipt") { bench.confirmed == [1, 2] }
    let before = bench.reactor.wakeUps
    bench.reactor.after(.milliseconds(2_500)) { bench.reactor.stop() }
    try bench.reactor.run()
    #expect(bench.reactor.wakeUps - before <= 1)
    #expect(bench.logs.count { $0 == "lamp: pinged" } == 1)
    try bench.finish()
  }

  @Test("and confirm late are told of once, and not any more when they have confirmed")
  func late() throws {
    let bench = try PluginBench()
    let gate = try bench.gate()
    var lamp = try bench.script(
      "lamp",
      """
      while read -r line; do
        case $line in
          *'"type":"ping"'*) echo '{"type":"pong"}';;
          *'"type":"alert"'*)
            { read -r x < \(gate.path)
              echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}"; } &;;
          *'"type":"cleared"'*) echo "{\\"type\\":\\"presented\\",\\"seq\\":$(seq "$line")}";;
        esac
      done
      """
    )
    lamp.receiptTimeout = .milliseconds(700)
    bench.start([lamp])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("told") { bench.logs.contains("lamp: has not confirmed event 1") }
    #expect(bench.statuses[0].reason == "has not confirmed event 1")
    gate.open()
    try bench.run("confirmed") { bench.confirmed == [1] }
    #expect(bench.statuses.map(\.state) == ["ready"])
    #expect(bench.statuses.map(\.reason) == [nil])
    bench.supervisor?.send(cleared(1, seq: 2))
    try bench.run("cleared") { bench.confirmed == [1, 2] }
    #expect(bench.logs.count { $0.contains("confirmed") } == 1)
    try bench.finish()
  }
}

import Glibc
import Testing
import TocsinModel

@testable import TocsinService

@Suite("Plugins and what plugins.conf or a person says of them", .timeLimit(.minutes(10)))
struct PluginReloadTests {
  @Test("whose section did not change run on through a reload, and none runs twice")
  func reload() throws {
    let bench = try PluginBench()
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
        && bench.last("removed") == .off
    }
    #expect(bench.statuses.map(\.sink) == ["kept", "changed", "added"])
    #expect(bench.statuses[0].pid == pid && bench.readyCount("kept") == 1)
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("three receipts") { bench.confirmed.count == 3 }
    settings[0].isEnabled = false
    bench.supervisor?.reload(settings)
    #expect(bench.statuses.map(\.state) == ["kept", "changed", "added"].map { _ in "ready" })
    try bench.finish()
    #expect(bench.confirmed == [1, 1, 1])
  }

  @Test("that ring are neither changed nor removed before their alert is over, and then at once")
  func ringing() throws {
    let bench = try PluginBench()
    let names = ["changed", "removed", "disabled"]
    var settings = try names.map { try bench.script($0, obedient) }
    bench.start(settings)
    try bench.run("ready") { names.allSatisfy { bench.readyCount($0) == 1 } }
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    bench.supervisor?.send(.present(alert(2, seq: 2)))
    try bench.run("receipts") { bench.confirmed.count == 6 }
    let pids = bench.statuses.map(\.pid)
    settings[0].settings["led"] = "GPIO1"
    settings[2].isEnabled = false
    settings.remove(at: 1)
    for _ in 0..<3 { bench.supervisor?.reload(settings) }
    bench.supervisor?.send(cleared(1, seq: 3))
    try bench.run("receipts") { bench.confirmed.count == 9 }
    #expect(bench.statuses.map(\.sink) == ["changed", "disabled", "removed"])
    #expect(bench.statuses.map(\.pid) == [pids[0], pids[2], pids[1]])
    #expect(
      bench.statuses.allSatisfy { $0.reason == "follows plugins.conf once its alert is over" }
    )
    // A snooze ends the alert too.
    var snoozed = alert(2, seq: 4)
    snoozed.state = .countdown
    bench.supervisor?.send(.present(snoozed))
    try bench.run("all three") {
      bench.readyCount("changed") == 2 && bench.last("removed") == .off
        && bench.last("disabled") == .off
    }
    #expect(bench.statuses.prefix(2).map(\.state) == ["ready", "off"])
    #expect(bench.statuses[1].reason == "plugins.conf says enabled = no")
    try bench.finish()
  }

  @Test("that ring and end by themselves come back as plugins.conf now says")
  func endsItself() throws {
    let bench = try PluginBench()
    var settings = [try bench.script("lamp", obedient), try bench.script("gone", obedient)]
    bench.start(settings)
    try bench.run("ready") { bench.readyCount("lamp") == 1 && bench.readyCount("gone") == 1 }
    bench.presentations = [alert(1, seq: 1)]
    bench.supervisor?.send(.present(bench.presentations[0]))
    try bench.run("receipts") { bench.confirmed.count == 2 }
    settings[0].run = ["second"]
    try bench.script("second", "echo second >&2; \(obedient)")
    let pids = bench.statuses.compactMap(\.pid)
    bench.supervisor?.reload([settings[0]])
    for pid in pids { kill(pid, SIGKILL) }
    try bench.run("the new one") {
      bench.logs.contains("lamp: second") && bench.readyCount("lamp") == 2
    }
    #expect(bench.readyCount("gone") == 1)
    try bench.finish()
  }

  @Test("that failed are tried at once when their section changes")
  func failed() throws {
    let bench = try PluginBench()
    var lamp = PluginSettings(name: "lamp", run: ["nowhere"])
    bench.presentations = [alert(1, seq: 1)]
    bench.start([lamp])
    #expect(
      bench.last("lamp") == .failed("there is no nowhere beside the daemon or in PATH, install it")
    )
    lamp.run = try bench.script("somewhere", obedient).run
    bench.supervisor?.reload([lamp])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    try bench.finish()
  }

  @Test(
    "are switched off and on by a person at once, whatever rings and whatever plugins.conf says"
  )
  func switched() throws {
    let bench = try PluginBench()
    var lamp = try bench.script("lamp", "while read -r line; do echo \"$line\" >&2; done")
    var spare = try bench.script("spare", obedient)
    spare.isEnabled = false
    bench.start([lamp, spare])
    try bench.run("ready") { bench.readyCount("lamp") == 1 }
    #expect(bench.last("spare") == .off && bench.statuses[1].state == "off")
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    #expect(bench.supervisor?.setEnabled("lamp", false) == true)
    #expect(bench.supervisor?.setEnabled("spare", true) == true)
    #expect(bench.supervisor?.setEnabled("nobody", true) == false)
    #expect(bench.last("lamp") == .off)
    try bench.run("spare, and lamp's goodbye") {
      bench.readyCount("spare") == 1 && bench.logs.contains(#"lamp: {"type":"bye"}"#)
    }
    #expect(bench.statuses.map(\.state) == ["off", "ready"])
    #expect(bench.statuses[0].reason == "is switched off")
    // Both outlast what plugins.conf says.
    let pid = bench.statuses[1].pid
    lamp.settings["led"] = "GPIO1"
    bench.supervisor?.reload([lamp, spare])
    #expect(bench.statuses.map(\.state) == ["off", "ready"])
    #expect(bench.statuses[1].pid == pid)
    #expect(bench.supervisor?.setEnabled("lamp", true) == true)
    try bench.run("lamp again") { bench.readyCount("lamp") == 2 }
    try bench.finish()
  }

  @Test("say how long they may take to confirm")
  func receiptTimeout() throws {
    let bench = try PluginBench()
    var lamp = try bench.script("lamp", obedient)
    lamp.receiptTimeout = .seconds(7)
    bench.start([lamp])
    #expect(bench.supervisor?.confirmationTime(of: "lamp") == .seconds(7))
    #expect(bench.supervisor?.confirmationTime(of: "nobody") == .seconds(5))
    try bench.finish()
  }
}

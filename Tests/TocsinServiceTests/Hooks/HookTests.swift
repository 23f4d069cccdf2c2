import CLinux
import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("Programs that run once", .timeLimit(.minutes(10)))
struct HookTests {
  private let bench: PluginBench

  init() throws {
    bench = try PluginBench()
  }

  /// A section with a script that the test writes, run on alerts.
  private func hook(
    _ script: String,
    _ arguments: [String] = [],
    _ change: (inout PluginSettings) -> Void = { _ in }
  ) throws -> PluginSettings {
    let file = try bench.directory.write("hook", "#!/bin/sh\n\(script)\n")
    chmod(file, 0o755)
    var settings = PluginSettings(name: "push", run: [])
    settings.hook.commands[.alert] = [file] + arguments
    change(&settings)
    return settings
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(bench.directory.path)/\(name)", encoding: .utf8)
  }

  private var failures: [String] {
    bench.reports.compactMap {
      if case .failed(let failed) = $0.report { "\(failed.seq): \(failed.reason)" } else { nil }
    }
  }

  @Test("get their arguments as they are written, the event to read, and the environment")
  func given() throws {
    let arguments = ["two words", "", "\"quoted\" 'too'", "$HOME `id` * ; |", "\\n", "ü"]
    let out = bench.directory.path
    let settings = try hook(
      """
      for argument in "$@"; do printf '%s\\n' "$argument"; done > \(out)/arguments
      cat > \(out)/event
      env | grep ^TOCSIN > \(out)/environment
      """,
      arguments
    )
    bench.environment["TOCSIN_SOCKET"] = "/run/t"
    bench.start([settings])
    var presentation = alert(1, seq: 7)
    presentation.title = "Wake \u{0}\"up\" $(id)"
    presentation.options.labels = ["work", "early"]
    bench.supervisor?.send(.present(presentation))
    try bench.run("receipt") { bench.confirmed == [7] }
    #expect(try text("arguments") == arguments.map { $0 + "\n" }.joined())
    let line = Array(try text("event").utf8)
    #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(try JSONLine.decode(SinkMessage.self, from: line) == .present(presentation))
    let id = occurrence(1)
    #expect(
      try Set(text("environment").split(separator: "\n").map(String.init)) == [
        "TOCSIN_SINK=push", "TOCSIN_EVENT=alert", "TOCSIN_SEQ=7",
        "TOCSIN_TITLE=Wake \"up\" $(id)", "TOCSIN_ALARM=\(id.alarm)", "TOCSIN_OCCURRENCE=\(id)",
        "TOCSIN_KIND=timer", "TOCSIN_STATE=alerting", "TOCSIN_DUE=1970-01-01T00:00:00.000Z",
        "TOCSIN_LABELS=work,early", "TOCSIN_SOCKET=/run/t",
      ]
    )
    try bench.finish()
  }

  @Test("are ready at once, as what they are")
  func ready() throws {
    let settings = try hook("exit 0") { $0.hook.isAudible = true }
    bench.start([settings])
    try bench.run("ready") { bench.readyCount("push") == 1 }
    let status = try #require(bench.statuses.first)
    #expect(status.state == "ready" && status.pid == nil)
    let ready = SinkReport.Ready(
      name: "push",
      version: "",
      capabilities: ["hook"],
      audible: true,
      events: ["alert"]
    )
    #expect(status.ready == ready)
    try bench.finish()
  }

  @Test("that fail say why: the status and the last word, and what they print is logged")
  func failing() throws {
    let settings = try hook(
      """
      echo hello; i=0; while [ $i -lt 50 ]; do i=$((i + 1)); echo line $i; done
      echo 'first' >&2; printf '10%%\\r20%%\\rcurl: (22) no such thing\\n\\n' >&2
      exit 22
      """
    )
    bench.start([settings])
    bench.supervisor?.send(.present(alert(1, seq: 3)))
    try bench.run("receipt") { !failures.isEmpty }
    #expect(failures == ["3: ended with status 22: curl: (22) no such thing"])
    #expect(bench.statuses[0].reason == "ended with status 22: curl: (22) no such thing")
    #expect(bench.logs.contains("push: hello") && bench.logs.contains("push: line 19"))
    #expect(!bench.logs.contains("push: line 20"))
    #expect(bench.logs.contains("push: and more, which is left out"))
    try bench.finish()
  }

  @Test("that take too long are killed with all they have started")
  func timeLimit() throws {
    var ends: [Int32] = [0, 0]
    #expect(tocsin_pipe(&ends) == 0)
    // All of them hold descriptor 3 open for as long as they live.
    var settings = try hook("trap '' TERM; /bin/sleep 1000 & while :; do /bin/sleep 1000; done")
    settings.getsStandardOutput = true
    settings.hook.timeLimit = .milliseconds(50)
    bench.start([settings], standardOutput: ends[1])
    close(ends[1])
    bench.supervisor?.send(.present(alert(1, seq: 3)))
    try bench.run("receipt") { !failures.isEmpty }
    #expect(failures == ["3: took longer than 50ms"])
    _ = fcntl(ends[0], F_SETFL, 0)
    var byte: UInt8 = 0
    #expect(read(ends[0], &byte, 1) == 0)
    close(ends[0])
    try bench.finish()
  }

  @Test("are never more at once than may be, and all have their turn")
  func atOnce() throws {
    // Each says that it runs and waits to be let go by whoever opens its pipe for writing.
    let out = bench.directory.path
    for number in 1...3 { mkfifo("\(out)/gate\(number)", 0o600) }
    let settings = try hook(
      #"echo "up $TOCSIN_SEQ"; read -r x < \#(out)/gate$TOCSIN_SEQ"#
    ) { $0.hook.atOnce = 2 }
    bench.start([settings])
    for number in 1...3 { bench.supervisor?.send(.present(alert(number, seq: UInt64(number)))) }
    try bench.run("two run") { bench.logs.count { $0.hasPrefix("push: up") } == 2 }
    #expect(Set(bench.logs) == ["push: up 1", "push: up 2"])
    #expect(bench.statuses[0].pid != nil)
    try Data("go\n".utf8).write(to: URL(filePath: "\(out)/gate2"))
    try bench.run("the third") { bench.logs.contains("push: up 3") }
    #expect(bench.confirmed == [2])
    for number in [1, 3] {
      try Data("go\n".utf8).write(to: URL(filePath: "\(out)/gate\(number)"))
    }
    try bench.run("all") { Set(bench.confirmed) == [1, 2, 3] }
    try bench.finish()
  }

  @Test("need not read what they are given, and may print without end")
  func unread() throws {
    let settings = try hook("exec <&-; head -c 5000000 /dev/zero | tr '\\0' x; echo; exit 0")
    bench.start([settings])
    var presentation = alert(1, seq: 3)
    // Longer than a pipe holds together with what is in it.
    presentation.title = String(repeating: "t", count: 60_000)
    bench.supervisor?.send(.present(presentation))
    try bench.run("receipt") { bench.confirmed == [3] }
    #expect(bench.logs.allSatisfy { $0.count < 2_000 })
    try bench.finish()
  }

  @Test("that are not there are a failure with a reason, until somebody puts them there")
  func missing() throws {
    var settings = PluginSettings(name: "push", run: [])
    let file = "\(bench.directory.path)/later"
    settings.hook.commands[.alert] = [file]
    bench.start([settings])
    #expect(bench.statuses[0].state == "failed")
    #expect(bench.statuses[0].reason == "run-on-alert: there is no \(file)")
    bench.supervisor?.send(.present(alert(1, seq: 3)))
    try bench.run("receipt") { failures == ["3: there is no \(file)"] }
    #expect(bench.readyCount("push") == 0)
    try bench.directory.write("later", "#!/bin/sh\n")
    chmod(file, 0o755)
    bench.supervisor?.send(.present(alert(1, seq: 4)))
    try bench.run("receipt") { bench.confirmed == [4] && bench.readyCount("push") == 1 }
    #expect(bench.statuses[0].state == "ready" && bench.statuses[0].reason == nil)
    try bench.finish()
  }

  @Test("that are being written just now are run once that is done")
  func beingWritten() throws {
    let settings = try hook("exit 0")
    let writer = open("\(bench.directory.path)/hook", O_WRONLY | O_CLOEXEC)
    bench.start([settings])
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    bench.reactor.after(.zero) { close(writer) }
    try bench.run("receipt") { bench.confirmed == [1] }
    try bench.finish()
  }

  @Test("are run on each event that has one")
  func everyEvent() throws {
    let settings = try hook(#"echo "$TOCSIN_EVENT $TOCSIN_TITLE$TOCSIN_TEXT $TOCSIN_REASON""#) {
      let command = $0.hook.commands[.alert]
      for event in HookSettings.Event.allCases { $0.hook.commands[event] = command }
    }
    bench.start([settings])
    var counting = alert(1, seq: 1)
    counting.state = .countdown
    var paused = alert(2, seq: 2)
    paused.state = .paused
    let missed = SinkMessage.Missed(
      seq: 4,
      occurrence: occurrence(4),
      title: "Tea 4",
      due: Instant(seconds: 0),
      reason: .late
    )
    for message in [
      .present(counting), .present(paused), cleared(3, seq: 3), .missed(missed),
      .notice(SinkMessage.Notice(seq: 5, level: .info, text: "quiet")), .present(alert(6, seq: 6)),
    ] as [SinkMessage] {
      bench.supervisor?.send(message)
    }
    try bench.run("all") { bench.confirmed.count == 6 }
    #expect(
      Set(bench.logs) == [
        "push: countdown Tea 1 ", "push: paused Tea 2 ", "push: cleared  stopped",
        "push: missed Tea 4 late", "push: notice quiet ", "push: alert Tea 6 ",
      ]
    )
    try bench.finish()
  }

  @Test("end when the daemon does, even against SIGTERM")
  func stop() throws {
    let settings = try hook("trap '' TERM; echo up; while :; do /bin/sleep 1000; done")
    bench.start([settings])
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("start") { bench.logs.contains("push: up") }
    try bench.finish()
  }

  @Test("are kept to what their section says, as other plugins are")
  func sandboxed() throws {
    bench.environment["NTFY_TOKEN"] = "secret"
    let settings = try hook("echo \"$(ulimit -n) ${NTFY_TOKEN-none} $LANG\"") {
      $0.sandbox.fileLimit = 77
    }
    bench.start([settings])
    bench.supervisor?.send(.present(alert(1, seq: 1)))
    try bench.run("receipt") { bench.confirmed == [1] }
    #expect(bench.logs == ["push: 77 none C"])
    try bench.finish()
  }
}

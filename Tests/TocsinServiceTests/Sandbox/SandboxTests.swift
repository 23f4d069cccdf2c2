import Foundation
import Glibc
import Testing
import TocsinModel

@testable import TocsinService

private let isRoot = geteuid() == 0

@Suite("A plugin's process", .timeLimit(.minutes(10)))
struct SandboxTests {
  /// Starts `/bin/sh -c` with a probe, and gives what it wrote until it said that it is done.
  private func probe(
    _ bench: PluginBench,
    _ script: String,
    _ change: (inout PluginSettings) -> Void = { _ in }
  ) throws -> [String] {
    let body =
      "\(script)\necho done >&2; echo '{\"type\":\"ready\",\"name\":\"t\"}'; cat >/dev/null"
    var settings = PluginSettings(name: "probe", run: ["/bin/sh", "-c", body])
    change(&settings)
    bench.start([settings])
    try bench.run("done") { bench.logs.contains("probe: done") }
    try bench.finish()
    return bench.logs.filter { $0.hasPrefix("probe: ") && $0 != "probe: done" }
      .map { String($0.dropFirst(7)) }
  }

  @Test("has the limits of its section")
  func limits() throws {
    let lines = try probe(
      PluginBench(),
      "echo $(ulimit -n) $(ulimit -c) $(ulimit -v) >&2; cat /proc/$$/limits >&2"
    ) {
      $0.sandbox.fileLimit = 99
      $0.sandbox.memoryLimit = 300 << 20
      $0.sandbox.processLimit = 4_321
    }
    #expect(lines.first == "99 0 307200")
    let processes = try #require(lines.first { $0.hasPrefix("Max processes") })
    #expect(processes.split(separator: " ")[2] == "4321")
  }

  @Test("may gain rights only if its section says so", arguments: [true, false])
  func newPrivileges(isOff: Bool) throws {
    let lines = try probe(PluginBench(), "grep -e NoNewPrivs -e CapAmb /proc/$$/status >&2") {
      $0.sandbox.hasNoNewPrivileges = isOff
    }
    #expect(lines.contains("NoNewPrivs:\t\(isOff ? 1 : 0)") || !isRoot)
    #expect(lines.contains("CapAmb:\t0000000000000000"))
  }

  @Test("finds no secrets in its environment")
  func environment() throws {
    let bench = try PluginBench()
    bench.environment["NTFY_TOKEN"] = "secret"
    bench.environment["DISPLAY"] = ":7"
    let lines = try probe(bench, "env >&2") {
      $0.sandbox.environment.items = [.init(name: "A", value: "b c")]
    }
    #expect(!lines.contains { $0.contains("secret") })
    #expect(lines.contains("DISPLAY=:7") && lines.contains("A=b c"))
    #expect(lines.contains("TOCSIN_SINK=probe"))
  }

  @Test("is another user's, with that user's groups", .enabled(if: isRoot, "needs root"))
  func user() throws {
    let lines = try probe(
      PluginBench(),
      "id -u >&2; id -G >&2; echo $HOME >&2; grep CapEff /proc/$$/status >&2"
    ) {
      $0.sandbox.user = "nobody"
    }
    let nobody = try #require(try Account(named: "nobody"))
    #expect(
      lines == [
        "\(nobody.uid)", nobody.groups.map { "\($0)" }.joined(separator: " "), nobody.home,
        "CapEff:\t0000000000000000",
      ]
    )
  }

  @Test("that is to be a user there is not fails, and says which")
  func unknownUser() throws {
    let bench = try PluginBench()
    var lamp = try bench.script("lamp", obedient)
    lamp.sandbox.user = "nobodee"
    bench.start([lamp])
    let status = try #require(bench.statuses.first)
    #expect(status.state == "failed")
    #expect(status.reason == "there is no user nobodee, correct user in [plugin lamp]")
    try bench.finish()
  }

  /// A store in a folder, read in every way a plugin may think of.
  private func readStore(
    beside others: [String],
    hidesStore: Bool,
    in folder: TemporaryDirectory
  ) throws -> [String] {
    let bench = try PluginBench()
    for name in ["alarms.db", "alarms.db-wal", "alarms.db.backup"] + others {
      try folder.write(name, "content of \(name)\n")
    }
    bench.store = StoreFiles(path: "\(folder.path)/alarms.db")
    return try probe(
      bench,
      """
      cd \(folder.path)
      ls >&2; cat alarms.db* /proc/$$/cwd/alarms.db /proc/self/root\(folder.path)/alarms.db >&2
      echo kept > plugins/note; echo lost > new; true
      """
    ) { $0.sandbox.hidesStore = hidesStore }
  }

  private static let canHide: Bool = {
    guard let bench = try? PluginBench(), let folder = try? TemporaryDirectory() else {
      return false
    }
    bench.store = StoreFiles(path: "\(folder.path)/s")
    bench.start([PluginSettings(name: "a", run: ["/bin/cat"])])
    let isRefused = bench.logs.contains { $0.contains("can read the store") }
    try? bench.finish()
    return !isRefused
  }()

  @Test(
    "finds the store's own folder empty but for what plugins keep",
    .enabled(if: canHide, "needs mount namespaces")
  )
  func hiddenFolder() throws {
    let folder = try TemporaryDirectory()
    let lines = try readStore(beside: ["mixer-speaker.json"], hidesStore: true, in: folder)
    #expect(lines.first == "plugins")
    #expect(!lines.contains { $0.contains("content") }, "\(lines)")
    #expect(lines.contains { $0.contains("Read-only") })
    #expect(try String(contentsOfFile: "\(folder.path)/plugins/note", encoding: .utf8) == "kept\n")
    #expect(access("\(folder.path)/new", F_OK) != 0)
    // Nothing of it is seen outside.
    #expect(access("\(folder.path)/alarms.db", F_OK) == 0)
  }

  @Test(
    "finds the store's files empty in a folder that others use too",
    .enabled(if: canHide, "needs mount namespaces")
  )
  func hiddenFiles() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/plugins",
      withIntermediateDirectories: false
    )
    let lines = try readStore(beside: ["bell.wav"], hidesStore: true, in: folder)
    #expect(lines.contains("bell.wav") && lines.contains("alarms.db"))
    #expect(!lines.contains { $0.contains("content") }, "\(lines)")
    #expect(try String(contentsOfFile: "\(folder.path)/new", encoding: .utf8) == "lost\n")
    let store = try String(contentsOfFile: "\(folder.path)/alarms.db", encoding: .utf8)
    #expect(store == "content of alarms.db\n")
  }

  @Test("may see the store if its section says so")
  func visible() throws {
    let folder = try TemporaryDirectory()
    let lines = try readStore(beside: [], hidesStore: false, in: folder)
    #expect(lines.count { $0 == "content of alarms.db" } >= 3, "\(lines)")
  }
}

import Foundation
import Testing

@testable import TocsinService

/// The keys of a section after `run`, read.
private func settings(_ lines: String) throws -> SandboxSettings {
  let text = "[plugin a]\nrun = a\n\(lines)"
  let configuration = try Configuration([Configuration.Source(name: "f", text: text)])
  return try #require(configuration.plugins.first).sandbox
}

@Suite("The sandbox's keys")
struct SandboxSettingsTests {
  @Test("are read, and written so that they are read the same")
  func everyKey() throws {
    var expected = SandboxSettings()
    expected.user = "nobody"
    expected.environment.hasUsual = false
    expected.environment.items = [
      EnvironmentRule.Item(name: "LANG"), EnvironmentRule.Item(name: "A_1", value: "x=\"y\", z\\"),
      EnvironmentRule.Item(name: "EMPTY", value: ""),
    ]
    expected.hidesStore = false
    expected.hasNoNewPrivileges = false
    expected.fileLimit = 64
    expected.memoryLimit = 256 << 20
    expected.processLimit = 20
    let read = try settings(
      """
      user = nobody
      environment = none, LANG, "A_1=x=\\"y\\", z\\\\", EMPTY=
      hide-store = no
      no-new-privileges = no
      file-limit = 64
      memory-limit = 256MiB
      process-limit = 20
      """
    )
    #expect(read == expected)
    #expect(try settings(read.lines.joined(separator: "\n")) == expected)
    let defaults = SandboxSettings()
    #expect(try settings(defaults.lines.joined(separator: "\n")) == defaults)
  }

  @Test(
    "say what is wrong with a value, and where",
    arguments: [
      (
        "environment = A, 1B=2",
        "f:3:15: environment: 1B is not a variable's name, write NAME or NAME=VALUE"
      ),
      ("environment = LANG, none", "f:3:15: environment: none stands first or not at all"),
      ("file-limit = 3", "f:3:14: file-limit: 3 is outside of 16 to 1048576"),
      ("memory-limit = 256", "f:3:16: memory-limit: 256 has no unit, write 256K, 256M or 256G"),
      ("memory-limit = 4K", "f:3:16: memory-limit: 4K is outside of 1M to 1024G"),
      (
        "memory-limit = 4 TB",
        "f:3:18: memory-limit: TB is not a unit of size, there are K, M and G"
      ),
      ("process-limit = 0", "f:3:17: process-limit: 0 is outside of 1 to 1000000"),
      ("hide-store = maybe", "f:3:14: hide-store: write yes or no"),
    ]
  )
  func wrong(line: String, sentence: String) {
    #expect(throws: (any Error).self) { try settings(line) }
    do {
      _ = try settings(line)
    } catch {
      #expect("\(error)" == sentence)
    }
  }
}

@Suite("A plugin's environment")
struct PluginEnvironmentTests {
  private let daemon = PluginEnvironment([
    "PATH": "/bin", "LC_TIME": "C", "XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/root",
    "NTFY_TOKEN": "secret", "AWS_SECRET_ACCESS_KEY": "secret", "NOTIFY_SOCKET": "/secret",
    "LD_PRELOAD": "secret", "TOCSIN_SINK": "wrong",
  ])

  private func variables(_ rule: String, _ account: Account? = nil) throws -> [String: String] {
    daemon.variables(
      try EnvironmentRule(rule),
      account: account,
      own: ["TOCSIN_SINK": "lamp"]
    )
  }

  @Test("has what presenting needs and no secrets")
  func usual() throws {
    #expect(
      try variables("usual") == [
        "PATH": "/bin", "LC_TIME": "C", "XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/root",
        "TOCSIN_SINK": "lamp",
      ]
    )
  }

  @Test("is what its section says")
  func said() throws {
    #expect(try variables("none") == ["TOCSIN_SINK": "lamp"])
    let mixed = try variables("none, PATH, NTFY_TOKEN, MISSING, A=b, TOCSIN_SINK=x")
    #expect(
      mixed == ["PATH": "/bin", "NTFY_TOKEN": "secret", "A": "b", "TOCSIN_SINK": "lamp"]
    )
    #expect(try variables("LC_TIME=de")["LC_TIME"] == "de")
  }

  @Test("is another user's if it runs as one")
  func account() throws {
    let nobody = try #require(try Account(named: "nobody"))
    let found = try variables("usual", nobody)
    #expect(found["HOME"] == nobody.home && found["USER"] == "nobody")
    #expect(found["XDG_RUNTIME_DIR"] == nil)
  }

  @Test("is documented: the list is that of the code")
  func documented() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/sandbox.md"), encoding: .utf8)
    let block = text.components(separatedBy: "```").first { $0.hasPrefix("\nPATH ") }
    let names = try #require(block).split { $0 == " " || $0 == "\n" }.map(String.init)
    #expect(names == PluginEnvironment.usual)
  }
}

import Foundation
import Testing

@testable import TocsinCommand

private func path(of program: String) -> String? {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.map { "\($0)/\(program)" }.first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}

/// Writes what the command prints for a shell into a file, and removes it afterwards; its path.
private func withScript<Result>(
  _ shell: CompletionScript.Shell,
  _ body: (String) throws -> Result
) throws -> Result {
  let page = Page()
  #expect(page.run("completion", shell.rawValue) == 0)
  let file = FileManager.default.temporaryDirectory
    .appendingPathComponent("tocsin-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: file) }
  try page.out.write(to: file, atomically: true, encoding: .utf8)
  return try body(file.path)
}

/// Runs a program to its end; what it printed and its exit status.
private func run(_ program: String, _ words: [String]) throws -> (text: String, status: Int32) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = words
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  process.standardInput = FileHandle.nullDevice
  try process.run()
  let data = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return (String(decoding: data, as: UTF8.self), process.terminationStatus)
}

@Suite("Completions", .timeLimit(.minutes(10)))
struct CompletionTests {
  @Test(
    "bash completes commands, options, values and identities",
    .enabled(if: path(of: "bash") != nil, "needs bash"),
    arguments: [
      (["tim"], ["timer"]),
      (["s"], ["show", "stop", "snooze", "skip", "silence", "simulate", "sinks", "status"]),
      (["--color", ""], ["always", "never", "auto"]),
      (["--socket", "/x", "tim"], ["timer"]),
      (["--color", "=", "ne"], ["never"]),
      (["alarm", "--on", "week"], ["weekdays", "weekends"]),
      (
        ["alarm", "--on", "="],
        [
          "weekdays", "weekends", "daily", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
        ]
      ),
      (["alarm", "--snooze-"], ["--snooze-limit"]),
      (["alarm", "--title", "x"], []),
      (["timer", "--on"], []),
      (["skip", "--u"], ["--undo"]),
      (["stop", "1b"], ["1b4e", "1b4f"]),
      (["stop", ""], ["1b4e", "1b4f", "2000"]),
      (["history", "-n", "1"], []),
      (["completion", ""], ["bash", "zsh", "fish"]),
      (["config", "ch"], ["check"]),
      (["route", ""], ["test"]),
      (["route", "test", "x", "--kind", "t"], ["timer"]),
      (["disable", "--si"], ["--sink"]),
    ] as [([String], [String])]
  )
  func bash(words: [String], expected: [String]) throws {
    let bash = try #require(path(of: "bash"))
    // The command is a function that knows three alarms, called as the script calls it.
    let script = """
      tocsin() { printf '1b4e\\tWake up\\n1b4f\\tNap\\n2000\\tTea\\n'; }
      source "$1"
      complete -p tocsin >/dev/null || exit 9
      shift
      COMP_WORDS=(tocsin "$@") COMP_CWORD=$#
      _tocsin tocsin "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      [[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
      """
    let (text, status) = try withScript(.bash) { file in
      try run(bash, ["--norc", "--noprofile", "-c", script, "bash", file] + words)
    }
    #expect(status == 0, "\(text)")
    #expect(text.split(separator: "\n").map { String($0) } == expected)
  }

  @Test("zsh can read its script", .enabled(if: path(of: "zsh") != nil, "zsh is not installed"))
  func zsh() throws {
    let zsh = try #require(path(of: "zsh"))
    try withScript(.zsh) { file in
      let (text, status) = try run(zsh, ["-n", file])
      #expect(status == 0 && text.isEmpty, "\(text)")
      let load =
        "autoload -U compinit && compinit -D -u && source \(file) && print $_comps[tocsin]"
      let loaded = try run(zsh, ["-f", "-c", load])
      #expect(loaded.text == "_tocsin\n")
    }
  }

  @Test(
    "fish completes commands, options and identities",
    .enabled(if: path(of: "fish") != nil, "fish is not installed"),
    arguments: [
      ("tocsin tim", ["timer"]), ("tocsin stop --al", ["--all"]), ("tocsin stop 1b", ["1b4e"]),
      ("tocsin alarm --on week", ["weekdays", "weekends"]),
    ]
  )
  func fish(line: String, expected: [String]) throws {
    let fish = try #require(path(of: "fish"))
    let (text, status) = try withScript(.fish) { file in
      let script = """
        function tocsin; printf '1b4e\\tWake up\\n2000\\tTea\\n'; end
        source \(file); complete -C '\(line)'
        """
      return try run(fish, ["--no-config", "-c", script])
    }
    #expect(status == 0)
    let words = text.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
    #expect(words.map { String($0) } == expected, "\(text)")
  }
}

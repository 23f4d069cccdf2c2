import Foundation
import Testing
import TocsinModel

@testable import TocsinCommand

@Suite("Help, version and words that are no command")
struct HelpTests {
  @Test("every command has help and a version, whatever else is said")
  func everywhere() {
    let page = Page()
    for command in CommandTable.all {
      for word in ["--help", "-h"] {
        #expect(page.run(command.name, word) == 0)
        #expect(page.out == HelpText.page(for: command))
        #expect(page.out.contains("Usage: tocsin \(command.name)"))
        #expect(page.err.isEmpty)
      }
      #expect(page.run(command.name, "--version") == 0)
      #expect(page.out == "tocsin \(Version.text)\n")
      for line in HelpText.page(for: command).split(separator: "\n") {
        #expect(line.count <= 100, "\(line)")
      }
    }
    for words in ["--help", "-h"] {
      #expect(page.run(words) == 0)
      for command in CommandTable.visible { #expect(page.out.contains("  \(command.name) ")) }
      #expect(!page.out.contains("  ids "))
    }
    #expect(page.run("--version") == 0)
    #expect(page.run("help", "timer") == 0)
    #expect(page.out.contains("Usage: tocsin timer"))
  }

  @Test("no command at all is a mistake, told with the help")
  func nothing() {
    let page = Page()
    #expect(page.run() == 64)
    #expect(page.out.isEmpty)
    #expect(page.err == HelpText.overview(CommandTable.visible))
  }

  @Test(
    "an unknown command names the nearest",
    arguments: [
      (["lsit"], "did you mean tocsin list?"), (["ls"], "did you mean tocsin list?"),
      (["rm", "x"], "did you mean tocsin cancel?"), (["xyzzy"], "see: tocsin --help"),
      (["--json", "lsit"], "did you mean tocsin list?"),
      (["timer", "10m", "--snoze", "9m"], "did you mean --snooze?"),
      (["list", "--color=sometimes"], "--color is always, never or auto"),
      (["completion", "csh"], "bash, zsh or fish"),
      (["config", "chek"], "did you mean config check?"),
      (["mute", "all"], "did you mean tocsin silence?"), (["sink"], "did you mean tocsin sinks?"),
      (["route", "tset"], "write route test"), (["route"], "route needs test [ALARM]"),
    ] as [([String], String)]
  )
  func unknown(words: [String], sentence: String) {
    let page = Page()
    let code = page.run(words)
    #expect(code == 64)
    #expect(page.err.hasPrefix("tocsin: "))
    #expect(page.err.contains(sentence), "\(page.err)")
    #expect(page.err.filter { $0 == "\n" }.count == 1)
  }

  @Test("the page about the command holds the help of every command, and every exit code")
  func documented() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("docs/command.md"),
      encoding: .utf8
    )
    for command in CommandTable.visible {
      let section = "### tocsin \(command.name)\n\n```\n\(HelpText.page(for: command))```\n"
      #expect(text.contains(section), "\(command.name)")
    }
    for code in ExitCode.allCases {
      #expect(text.contains("| \(code.rawValue) | \(code.meaning) |"), "\(code)")
    }
  }
}

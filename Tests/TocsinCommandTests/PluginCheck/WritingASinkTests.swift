import Foundation
import ProcessTesting
import Testing
import TocsinModel

@testable import TocsinCommand

/// The page for authors: what it shows works as it stands there.
@Suite("docs/writing-a-sink.md", .timeLimit(.minutes(10)))
struct WritingASinkTests {
  private struct Block {
    var language: String
    var text: String
  }

  private let blocks: [Block]

  init() throws {
    let path = "\(CheckedPlugin.root)/docs/writing-a-sink.md"
    let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "```")
    blocks = stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(separator: "\n", omittingEmptySubsequences: false)
      return Block(
        language: String(lines[0]),
        text: lines.dropFirst().joined(separator: "\n")
      )
    }
  }

  private func block(_ language: String) throws -> String {
    try #require(blocks.first { $0.language == language }).text
  }

  @Test("the sink to be typed in passes", .enabled(if: Program.exists("python3"), "needs python3"))
  func firstSink() throws {
    let bench = try CheckedPlugin()
    let path = try bench.write("mine.py", try block("python"))
    let result = try CheckedPlugin.check(["--timeout", "30s", path])
    #expect(result.code == 0, "\(result.out)\(result.err)")
    // The report that is shown is its own.
    let shown = try #require(blocks.first { $0.text.hasPrefix("ok    ") }).text
    for line in shown.split(separator: "\n") where line != "…" {
      #expect(result.out.contains(line + "\n"), "\(line)")
    }
  }

  @Test("the section for it is one that plugins.conf takes")
  func section() throws {
    let bench = try CheckedPlugin()
    let path = try bench.write("plugins.conf", try block("ini"), mode: 0o644)
    let page = Page()
    #expect(page.run("config", "check", "--file", path) == 0, "\(page.err)")
  }

  @Test("the messages in it are ones that the daemon reads")
  func messages() throws {
    let lines = blocks.filter { $0.text.hasPrefix("{") }
      .flatMap { $0.text.split(separator: "\n").map(String.init) }
    #expect(lines.count >= 5)
    for line in lines {
      let whole = line.replacingOccurrences(of: ":…\"", with: ":0:0\"")
      let report = try JSONLine.decode(SinkReport.self, from: Array(whole.utf8))
      #expect(!report.isUnknown, "\(line)")
    }
  }

  @Test("the commands in it are ones that there are")
  func commands() throws {
    let lines = blocks.flatMap { $0.text.split(separator: "\n") }.filter { $0.hasPrefix("tocsin ") }
    #expect(lines.count >= 7)
    for line in lines {
      let words = line.split(separator: " ").dropFirst().map(String.init)
      let command = try #require(CommandTable.all.first { $0.name == words[0] }, "\(line)")
      #expect(throws: Never.self) { try Invocation(words.dropFirst(), for: command) }
    }
  }

  @Test("the examples that it names are there")
  func examples() throws {
    let path = "\(CheckedPlugin.root)/docs/writing-a-sink.md"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let folder = "\(CheckedPlugin.root)/contrib/plugins"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count >= 3)
    for name in names { #expect(text.contains("`\(name)`"), "\(name)") }
  }
}

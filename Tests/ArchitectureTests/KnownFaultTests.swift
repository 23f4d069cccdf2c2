import Foundation
import Testing

/// docs/known-faults.md names what guards each fault: a test, a timeline, or a check in the machine.
@Suite("The page of known faults")
struct KnownFaultPageTests {
  private let repository = Repository.here

  @Test("names guards that are there, at least one for each fault")
  func guards() throws {
    let text = try #require(repository.text("docs/known-faults.md"))
    var guards = 0
    for line in text.split(separator: "\n") where line.contains(" → ") {
      let named = Self.guards(in: line)
      #expect(!named.isEmpty, "nothing guards: \(line)")
      for name in named { #expect(isThere(name), "there is no \(name)") }
      guards += named.count
    }
    #expect(guards > 100)
  }

  @Test("knows a guard from other words, and one that is there from one that is not")
  func finds() {
    let line = "- Lost. → `tocsin status` says so. `snooze/step-back.txt`, `HelpTests: every word`"
    #expect(Self.guards(in: line) == ["snooze/step-back.txt", "HelpTests: every word"])
    #expect(isThere("snooze/step-back.txt"))
    #expect(!isThere("snooze/step-aside.txt"))
    #expect(isThere("ArchitectureTests/TreeTests: holds at its top what it may, and nothing else"))
    #expect(!isThere("ArchitectureTests/TreeTests: holds at its top"))
    #expect(!isThere("NoSuchTests: holds at its top what it may, and nothing else"))
    #expect(isThere("check_sound: a snooze is silent, and rings again"))
  }

  /// The code spans that name a timeline or, after a colon, a test.
  private static func guards(in line: some StringProtocol) -> [String] {
    let spans = line.split(separator: "`", omittingEmptySubsequences: false)
    return spans.indices.filter { $0 % 2 == 1 }.map { String(spans[$0]) }
      .filter { $0.hasSuffix(".txt") || $0.contains(": ") }
  }

  private func isThere(_ name: String) -> Bool {
    guard let colon = name.range(of: ": ") else {
      return repository.paths.contains("Tests/TimelineTests/Timelines/\(name)")
    }
    let file = name[..<colon.lowerBound]
    let title = "\"\(name[colon.upperBound...])\""
    let ends = ["/\(file).swift", "/checks/\(file).py"]
    let files = repository.paths.filter { path in
      path.hasPrefix("Tests/") && ends.contains { path.hasSuffix($0) }
    }
    return files.contains { repository.text($0)?.contains(title) == true }
  }
}

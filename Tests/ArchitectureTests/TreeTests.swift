import Foundation
import Testing

@Suite("The repository")
struct TreeTests {
  private let repository = Repository.here

  @Test("holds at its top what it may, and nothing else")
  func top() {
    let allowed: Set = [
      ".ci", ".gitignore", ".swift-format", "LICENSE", "Package.resolved", "Package.swift",
      "README.md", "Sources", "Tests", "contrib", "docs", "plugins.conf",
    ]
    let names = Set(repository.paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(names.isSuperset(of: ["Package.swift", "Sources", "Tests", "README.md", "LICENSE"]))
    #expect(names.subtracting(allowed).isEmpty)
  }

  @Test("is listed the same with git and without, apart from what git ignores")
  func listings() throws {
    guard let listed = Repository.listedByGit(repository.root) else { return }
    let there = Set(Repository.listedByDirectory(repository.root))
    let tracked = listed.filter { there.contains($0) }
    #expect(Set(tracked) == Set(repository.paths))
  }

  @Test("leaves nothing to be done in comments")
  func unfinished() throws {
    // Put together here, or this file would be found.
    for word in ["TO" + "DO", "FIX" + "ME", "X" + "XX:"] {
      for (place, _) in try matches(of: word) { Issue.record("\(place): \(word)") }
    }
  }

  /// What means something on one machine or in one tracker only.
  private static let traces: [(what: String, pattern: String)] = [
    ("the number of an issue", #"(issues|pull|merge_requests)/[0-9]+"#),
    ("the number of an issue", ##"([Ii]ssue|[Bb]ug|PR|[Cc]ase|[Tt]icket) #[0-9]+"##),
    ("a directory of one machine", #"(^|[\s"'=(:`])/(work|workspace|Users|builds)/[a-z]"#),
    ("a directory of one machine", #"/home/(user|runner|ubuntu|pi|build)/"#),
    ("a host of one network", #"[a-z0-9]\.(internal|corp|lan|intranet)([/:"\s]|$)"#),
    ("an address of one network", #"(^|[^0-9.])(10|172|192)(\.[0-9]+){3}([^0-9.]|$)"#),
  ]

  @Test("bears no trace of the machine it was made on")
  func traces() throws {
    for (what, pattern) in Self.traces {
      for (place, found) in try matches(of: pattern)
      where !place.hasPrefix("Tests/ArchitectureTests/") {
        Issue.record("\(place): \(what): \(found)")
      }
    }
  }

  @Test(
    "finds such traces",
    arguments: [
      "see issues/12", "// bug #7", "cd /work/tmp", "\"/Users/me", "/home/runner/x",
      "http://proxy.corp/x", "at 10.1.2.3",
    ]
  )
  func finds(line: String) throws {
    #expect(try Self.traces.contains { try !Self.ranges(of: $0.pattern, in: line).isEmpty })
  }

  @Test("names hosts that everybody can reach")
  func hosts() throws {
    let known: Set = [
      "www.apache.org", "www.swift.org", "swift.org", "download.swift.org", "github.com",
      "developer.apple.com", "www.rfc-editor.org", "specifications.freedesktop.org",
      "www.freedesktop.org", "www.sqlite.org", "sqlite.org", "www.iana.org", "www.kernel.org",
      "www.w3.org", "ntfy.sh", "example.org", "example.com",
    ]
    for (place, found) in try matches(of: #"https?://[A-Za-z0-9.-]+"#) {
      let host = found.drop { $0 != "/" }.drop { $0 == "/" }
      // Where a shell puts it together there is none to judge.
      guard host.contains("."), !place.hasPrefix("Tests/ArchitectureTests/") else { continue }
      #expect(known.contains(String(host)), "\(place)")
    }
  }

  /// Where a pattern is found in any text.
  private func matches(of pattern: String) throws -> [(place: String, found: String)] {
    try repository.paths.flatMap { path in
      let text = repository.text(path) ?? ""
      return try Self.ranges(of: pattern, in: text).map { range in
        let line = text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
        return ("\(path):\(line)", String(text[range]))
      }
    }
  }

  private static func ranges(of pattern: String, in text: String) throws -> [Range<String.Index>] {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap { Range($0.range, in: text) }
  }
}

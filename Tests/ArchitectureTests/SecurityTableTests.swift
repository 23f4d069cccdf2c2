import Foundation
import Testing

@Suite("What security.md promises")
struct SecurityTableTests {
  private let repository = Repository.here

  /// The rows of the tables of promises.
  private static func rows(in text: String) -> [Substring] {
    var (rows, isPromise): ([Substring], Bool) = ([], false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| promise |") {
        isPromise = true
      } else if !line.hasPrefix("|") {
        isPromise = false
      } else if isPromise, line.hasPrefix("| ") {
        rows.append(line)
      }
    }
    return rows
  }

  /// The tests named in a row's last column: whole titles in backquotes.
  private static func tests(in row: Substring) -> [String] {
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    return (cells.last ?? "").matches(of: /`([^`]+)`/).map { String($0.output.1) }
  }

  /// The titles of all tests.
  private var titles: Set<String> {
    let tests = repository.paths.filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }
    return Set(
      tests.flatMap { path in
        (repository.text(path) ?? "").matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/)
          .map { String($0.output.1).replacing("\\\"", with: "\"") }
      }
    )
  }

  @Test("is tested by a test that exists, each promise")
  func exist() throws {
    let text = try #require(repository.text("docs/security.md"))
    let (rows, titles) = (Self.rows(in: text), titles)
    #expect(rows.count >= 20)
    for row in rows {
      let tests = Self.tests(in: row)
      #expect(!tests.isEmpty, "\(row)")
      for test in tests { #expect(titles.contains(test), "there is no test \"\(test)\"") }
    }
  }
}

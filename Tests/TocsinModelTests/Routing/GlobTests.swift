import Testing

@testable import TocsinModel

@Suite("Patterns")
struct GlobTests {
  @Test(
    "fit the whole text, in either case",
    arguments: [
      ("wake*", "Wake up", true), ("wake*", "wake", true), ("wake*", "awake", false),
      ("*up", "Wake up", true), ("*up", "up there", false), ("w?ke", "WAKE", true),
      ("w?ke", "wke", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
      ("", "", true), ("", "x", false), ("*", "", true), ("**", "x", true), ("?", "", false),
      ("é*", "É1", true), ("?", "👩‍👩‍👧", true), ("a.c", "abc", false), ("[a]", "a", false),
    ]
  )
  func fit(pattern: String, text: String, expected: Bool) {
    #expect(Glob(pattern).matches(text) == expected)
  }

  @Test("take no more steps than both lengths multiplied, whatever somebody wrote")
  func hostile() {
    let pattern = String(repeating: "a*", count: 200) + "b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 2_000)))
  }
}

import Testing

@testable import TocsinModel

@Suite("Values")
struct ValueTextTests {
  @Test(
    "durations",
    arguments: [
      ("250ms", 250_000), ("30s", 30_000_000), ("9min", 540_000_000), ("9m", 540_000_000),
      ("1h", 3_600_000_000), ("1h30min", 5_400_000_000), ("1h 30min", 5_400_000_000),
      ("1.5h", 5_400_000_000), ("0", 0),
      ("90d", 7_776_000_000_000), ("2us", 2), ("1 h", nil), ("h", nil), ("", nil), ("1e3s", nil),
      (".5s", nil), ("1.2.3s", nil), ("5", nil), ("-5s", nil), ("5 parsecs", nil),
      ("999999999999d", nil), ("∞", nil), ("٣s", nil),
    ] as [(String, Int64?)]
  )
  func durations(text: String, expected: Int64?) {
    #expect((try? ValueText.duration(text)) == expected)
    if let expected { #expect((try? ValueText.duration(ValueText.describe(expected))) == expected) }
  }

  @Test(
    "percentages, which need their sign and stay within 0 and 100",
    arguments: [
      ("80%", 0.8), ("0%", 0), ("100%", 1), ("12.5%", 0.125), ("50 %", 0.5), ("80", nil),
      ("0.8", nil), ("101%", nil), ("-1%", nil), ("%", nil), ("nan%", nil), ("0x10%", nil),
    ] as [(String, Double?)]
  )
  func percentages(text: String, expected: Double?) {
    #expect((try? ValueText.percentage(text)) == expected)
  }

  @Test(
    "sizes",
    arguments: [
      ("64K", 65_536), ("256M", 268_435_456), ("256MiB", 268_435_456), ("2 G", 2_147_483_648),
      ("0K", 0), ("3KiB", 3_072), ("", nil), ("M", nil), ("5", nil), ("5MB", nil), ("1.5G", nil),
      ("-1K", nil), ("99999999999G", nil), ("1K 1K", nil),
    ] as [(String, Int64?)]
  )
  func sizes(text: String, expected: Int64?) {
    #expect((try? ValueText.size(text)) == expected)
    if let expected { #expect((try? ValueText.size(ValueText.describeSize(expected))) == expected) }
  }

  @Test(
    "argument vectors",
    arguments: [
      ("a  b\tc", ["a", "b", "c"]), ("a \"b c\"d", ["a", "b cd"]), ("''", [""]),
      ("\"\\\\ \\\" \\n\"", ["\\ \" \\n"]), ("a\\ b", ["a b"]), ("'\\'", ["\\"]),
      ("$HOME *|~", ["$HOME", "*|~"]), ("", []), ("'open", nil), ("a\\", nil),
    ] as [(String, [String]?)]
  )
  func arguments(text: String, expected: [String]?) {
    #expect((try? ValueText.arguments(text)) == expected)
  }

  @Test(
    "lists",
    arguments: [
      ("a, b ,c", ["a", "b", "c"]), ("\"a, b\", c", ["a, b", "c"]), ("c, \"a, b\"", ["c", "a, b"]),
      ("", []), (",", []),
      ("one", ["one"]),
    ] as [(String, [String]?)]
  )
  func lists(text: String, expected: [String]?) {
    #expect((try? ValueText.list(text)) == expected)
  }

  @Test("words and items know where they stand, items with their quotes")
  func places() throws {
    let words = try ValueText.pieces("  a \"b c\"d  'e'")
    #expect(
      words == [
        ValueText.Piece("a", at: 2), ValueText.Piece("b cd", at: 4), ValueText.Piece("e", at: 12),
      ]
    )
    let items = try ValueText.items(" a b ,, title:\"c, d\" e,")
    #expect(
      items == [ValueText.Piece("a b", at: 1), ValueText.Piece("title:\"c, d\" e", at: 8)]
    )
  }

  @Test(
    "words are quoted where they would not read back, alone and in a list",
    arguments: ["a", "", "a b", "a,b", "it's", "\"", "\\", "a\u{a0}b", "\u{301}", "tab\t"]
  )
  func quoted(word: String) {
    let written = ValueText.quoted(word)
    #expect((try? ValueText.arguments(written)) == [word])
    #expect((try? ValueText.items(written))?.map(\.text) == [written])
  }
}

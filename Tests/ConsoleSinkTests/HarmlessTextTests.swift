import Testing

@testable import ConsoleSink

@Suite struct HarmlessTextTests {
  @Test(
    "Nothing in a title can move the cursor, forge a line or turn text around",
    arguments: [
      ("Tea", "Tea"), ("", ""), ("  \t ", ""), ("one\ntwo\r\nthree", "one two  three"),
      ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"),
      ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"), ("a\u{9B}2Jb", "a\u{FFFD}2Jb"),
      ("nul\u{0}del\u{7F}", "nul\u{FFFD}del\u{FFFD}"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
      ("a\u{202E}pots\u{202C}b", "apotsb"), ("\u{2067}x\u{2069}\u{200F}\u{61C}", "x"),
      ("zero\u{200B}\u{FEFF}width\u{AD}", "zerowidth"), ("<b>&amp;</b>", "<b>&amp;</b>"),
      ("--help", "--help"), ("👨‍👩‍👧 طابت", "👨‍👩‍👧 طابت"),
      (
        "e" + String(repeating: "\u{301}", count: 50), "e" + String(repeating: "\u{301}", count: 11)
      ),
    ]
  )
  func titles(given: String, expected: String) {
    #expect(HarmlessText.oneLine(given).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(
    "Columns are counted as terminals draw them",
    arguments: [
      ("Tea", 3), ("茶", 2), ("お茶", 4), ("한국", 4), ("☕", 2), ("⏰", 2), ("é", 1), ("e\u{301}", 1),
      ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("Ａ", 2), ("…", 1), ("ﾊ", 1), ("𠀀", 2), ("", 0),
    ]
  )
  func columns(text: String, expected: Int) {
    #expect(TextWidth.columns(text) == expected)
  }

  @Test(
    "A cut text fits and never ends inside a character",
    arguments: [
      ("Wake up", 7, "Wake up"), ("Wake up", 6, "Wake…"), ("Wake up", 3, "Wa…"),
      ("Wake up", 1, "…"), ("お茶の時間", 6, "お茶…"), ("お茶の時間", 5, "お茶…"),
      ("👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"), ("", 1, ""),
    ]
  )
  func cut(text: String, limit: Int, expected: String) {
    #expect(TextWidth.cut(text, to: limit) == expected)
    #expect(TextWidth.columns(TextWidth.cut(text, to: limit)) <= limit)
  }
}

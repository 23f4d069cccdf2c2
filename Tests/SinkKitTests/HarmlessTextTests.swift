import SinkKit
import Testing

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
}

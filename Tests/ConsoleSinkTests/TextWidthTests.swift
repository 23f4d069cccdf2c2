import Testing

@testable import ConsoleSink

@Suite struct TextWidthTests {
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

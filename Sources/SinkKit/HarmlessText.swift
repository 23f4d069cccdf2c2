/// Text of strangers, made fit for a terminal or a pop-up.
///
/// A title may come from a calendar or a web page; an escape sequence in it could retitle the window
/// or type commands, a newline forge a line, a bidirectional override turn "stop" around.
package enum HarmlessText {
  /// Scalars in one visible character; more are piles of accents that paint over other lines.
  private static let scalarsInCharacter = 12

  /// One line without control characters and invisible formatting, and without blanks at its ends.
  ///
  /// Only the first `limit` characters (grapheme clusters) are looked at; the rest is left out.
  package static func oneLine(_ text: String, limit: Int = 2_000) -> String {
    var result = String.UnicodeScalarView()
    for character in text.prefix(limit) {
      for scalar in character.unicodeScalars.prefix(scalarsInCharacter) {
        if let kept = harmless(scalar) { result.append(kept) }
      }
    }
    var line = String(result)[...]
    while line.first == " " { line.removeFirst() }
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control:
      let blanks: Set<UInt32> = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85]
      return blanks.contains(scalar.value) ? " " : "\u{FFFD}"
    case .lineSeparator, .paragraphSeparator: return " "
    case .format:
      // Joiners belong to emoji and to Persian and Indic words.
      return scalar == "\u{200D}" || scalar == "\u{200C}" ? scalar : nil
    default: return scalar
    }
  }
}

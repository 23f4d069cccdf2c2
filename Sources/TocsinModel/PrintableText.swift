extension StringProtocol {
  /// The text fit for one line of a terminal, a log or TSV: what came from somebody may hold anything.
  ///
  /// Tabs and line ends become spaces; other control characters, and the marks that turn the
  /// direction of text around, become question marks.
  package var printable: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d, 0x2028, 0x2029: shown.append(" ")
      case 0..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: shown.append("?")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }
}

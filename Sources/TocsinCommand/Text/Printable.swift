extension StringProtocol {
  /// The text fit for one line of a terminal or of TSV: what came from somebody may hold anything.
  ///
  /// Tabs and line ends become spaces; other control characters, and the marks that turn the
  /// direction of text around, become question marks.
  var printable: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0a, 0x0d: shown.append(" ")
      case 0..<0x20, 0x7f...0x9f, 0x202a...0x202e, 0x2066...0x2069: shown.append("?")
      default: shown.append(scalar)
      }
    }
    return String(shown)
  }

  /// How many columns a terminal takes for it, about: wide East Asian letters and emoji take two.
  var columns: Int {
    reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      switch scalar.value {
      case 0x1100...0x115f, 0x2e80...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
        0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1faff, 0x20000...0x3fffd:
        return sum + 2
      default:
        return sum + (character.unicodeScalars.contains { $0.value == 0xfe0f } ? 2 : 1)
      }
    }
  }
}

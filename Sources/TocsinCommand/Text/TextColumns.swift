extension StringProtocol {
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

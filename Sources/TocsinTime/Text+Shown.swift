extension StringProtocol {
  /// The text fit to stand in a message: at most 60 characters, no control characters.
  ///
  /// Messages go to terminals and logs, and the text came from anybody.
  var shortened: String {
    var shown = ""
    var count = 0
    for scalar in unicodeScalars {
      if count == 60 { return shown + "…" }
      let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
      // Bidirectional overrides would let text rewrite the sentence around it.
      let isOverride =
        (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      shown.unicodeScalars.append(isControl || isOverride ? "?" : scalar)
      count += 1
    }
    return shown
  }
}

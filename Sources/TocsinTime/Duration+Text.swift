extension Duration {
  /// The duration for people, such as "8 h 12 min", "45 s" or "2 d 3 h".
  ///
  /// The largest unit that is not zero and those next to it, the rest cut off; below one second
  /// in milliseconds.
  ///
  /// - Parameter units: how many units in a row at most; 9 leaves nothing out but fractions of a
  ///   millisecond.
  /// - Returns: numbers and units with blanks between; negative ones begin with "-".
  public func text(units: Int = 2) -> String {
    let microseconds = self.microseconds
    let sign = microseconds < 0 ? "-" : ""
    var rest = microseconds.magnitude
    var words: [String] = []
    var isStarted = false
    var left = max(units, 1)
    for (name, size) in Self.units {
      let count = rest / size
      rest %= size
      isStarted = isStarted || count > 0
      guard isStarted else { continue }
      // Milliseconds beside seconds are noise, unless everything is asked for.
      if name == "ms", !words.isEmpty, units < 9 { break }
      if count > 0 { words.append("\(count) \(name)") }
      left -= 1
      if left == 0 { break }
    }
    return words.isEmpty ? "0 s" : sign + words.joined(separator: " ")
  }

  private static let units: [(name: String, microseconds: UInt64)] = [
    ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
    ("ms", 1_000),
  ]
}

/// The forms in which plugins.conf writes durations and percentages.
package enum SettingText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("ms", 1_000_000), ("s", 1_000_000_000), ("min", 60_000_000_000), ("m", 60_000_000_000),
    ("h", 3_600_000_000_000), ("d", 86_400_000_000_000),
  ]

  /// Reads numbers with units, such as `1h 30min` or `2.5s`; nil for anything else, also for a
  /// number without unit, which would leave the reader to guess.
  package static func duration(_ text: String) -> Duration? {
    var rest = text[...]
    var total = 0.0
    var parts = 0
    while true {
      rest = rest.drop { $0 == " " }
      guard !rest.isEmpty else { break }
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      let unit = rest[digits.endIndex...].drop { $0 == " " }
        .prefix { $0.isASCII && $0.isLetter }
      guard let number = Double(String(digits)),
        let nanoseconds = units.first(where: { $0.name == unit })?.nanoseconds
      else { return nil }
      total += number * Double(nanoseconds)
      rest = rest[unit.endIndex...]
      parts += 1
    }
    guard parts > 0, total < 9e18 else { return nil }
    return .nanoseconds(Int64(total.rounded()))
  }

  /// Writes a duration in the greatest unit that divides it.
  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds != 0 {
      return "\(seconds * 1_000 + attoseconds / 1_000_000_000_000_000)ms"
    }
    for (divisor, unit) in [(86_400, "d"), (3_600, "h"), (60, "min")] as [(Int64, String)]
    where seconds != 0 && seconds % divisor == 0 {
      return "\(seconds / divisor)\(unit)"
    }
    return "\(seconds)s"
  }

  /// Reads `0%` to `100%` as 0...1; nil for anything else, a number without the sign included.
  static func percentage(_ text: String) -> Double? {
    guard text.last == "%" else { return nil }
    let digits = trimmed(text.dropLast())
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
      let number = Double(digits), (0...100).contains(number)
    else { return nil }
    return number / 100
  }

  /// Reads words with blanks between; nil if a quote is open at the end, or nothing follows a
  /// backslash.
  ///
  /// Double quotes group, and in them `\"` and `\\` stand for the second character; single quotes
  /// group and change nothing; outside of quotes a backslash takes the next character as it is.
  static func arguments(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        isEscaped = false
        if quote == "\"", character != "\"", character != "\\" { word = (word ?? "") + "\\" }
        word = (word ?? "") + String(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    return words
  }

  static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    var end = start
    while let last = end.last, last == " " || last == "\t" { end.removeLast() }
    return String(end)
  }
}

/// How plugins.conf writes values, for the daemon and for sinks: each reader gives the value or the
/// sentence that says what was expected.
///
/// Durations are a number and a unit, also several: `250ms 30s 9min 1h 90d`, `1h 30min`, `1.5h`.
package enum ValueText {
  /// What is wrong with a value, and where.
  package struct Unreadable: Error, Equatable {
    /// The end of a sentence that begins with the value.
    package var message: String
    /// Where in the value, in characters from its start.
    package var offset = 0

    package init(message: String, offset: Int = 0) {
      self.message = message
      self.offset = offset
    }
  }

  /// Reads a duration as microseconds.
  package static func duration(_ text: String) throws(Unreadable) -> Int64 {
    var rest = text[...].trimmed
    var total: Int64 = 0
    if rest == "0" { return 0 }
    repeat {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      let unit = rest[digits.endIndex...].prefix { $0.isLetter || $0 == "µ" }
      let offset = text.distance(from: text.startIndex, to: rest.startIndex)
      guard let number = Double(digits), digits.first != ".", digits.last != "." else {
        throw Unreadable(
          message: "not a duration, write 250ms, 30s, 9min, 1h or 90d",
          offset: offset
        )
      }
      guard !unit.isEmpty else {
        throw Unreadable(
          message: "\(digits) has no unit, write \(digits)s or \(digits)min",
          offset: offset
        )
      }
      guard let length = units[String(unit)] else {
        throw Unreadable(
          message: "\(unit) is not a unit of time, there are ms, s, min, h and d",
          offset: offset
        )
      }
      let part = (number * Double(length)).rounded()
      guard part < 4e18, let sum = total.adding(Int64(part)) else {
        throw Unreadable(message: "that long no machine runs", offset: offset)
      }
      total = sum
      rest = rest[unit.endIndex...].trimmed
    } while !rest.isEmpty
    return total
  }

  private static let units: [String: Int64] = [
    "us": 1, "ms": 1_000, "s": 1_000_000, "sec": 1_000_000, "m": 60_000_000, "min": 60_000_000,
    "h": 3_600_000_000, "d": 86_400_000_000,
  ]

  /// Writes a duration the way `duration(_:)` reads it, in the largest unit that is exact.
  package static func describe(_ microseconds: Int64) -> String {
    for (unit, length) in [
      ("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000),
      ("ms", 1_000),
    ] as [(String, Int64)] where microseconds >= length && microseconds % length == 0 {
      return "\(microseconds / length)\(unit)"
    }
    return microseconds == 0 ? "0" : "\(microseconds)us"
  }

  /// Reads a size such as `64K`, `256M`, `256MiB` or `2G` as bytes; units are powers of 1024.
  package static func size(_ text: String) throws(Unreadable) -> Int64 {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text[digits.endIndex...].trimmed
    guard let number = Int64(digits) else {
      throw Unreadable(message: "not a size, write 64K, 256M or 2G")
    }
    guard !unit.isEmpty else {
      throw Unreadable(message: "\(digits) has no unit, write \(digits)K, \(digits)M or \(digits)G")
    }
    guard let index = sizes.firstIndex(where: { unit == $0 || unit == "\($0)iB" }) else {
      throw Unreadable(
        message: "\(unit) is not a unit of size, there are K, M and G",
        offset: text.distance(from: text.startIndex, to: unit.startIndex)
      )
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: 1 << Int64(10 * (index + 1)))
    guard !overflow else { throw Unreadable(message: "that much no machine has") }
    return product
  }

  private static let sizes = ["K", "M", "G"]

  /// Writes a size the way `size(_:)` reads it, in the largest unit that is exact.
  package static func describeSize(_ bytes: Int64) -> String {
    for (index, unit) in sizes.enumerated().reversed() {
      let length: Int64 = 1 << Int64(10 * (index + 1))
      if bytes % length == 0 { return "\(bytes / length)\(unit)" }
    }
    return "\(bytes / 1024)K"
  }

  package static func integer(_ text: String) throws(Unreadable) -> Int {
    guard let value = Int(text) else { throw Unreadable(message: "not a whole number") }
    return value
  }

  /// Reads `0%` to `100%` as 0...1; a number without the sign might mean either.
  package static func percentage(_ text: String) throws(Unreadable) -> Double {
    let digits = text.hasSuffix("%") ? text.dropLast().trimmed : ""
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
      let number = Double(digits), (0...100).contains(number)
    else { throw Unreadable(message: "not a percentage from 0% to 100%") }
    return number / 100
  }

  package static func flag(_ text: String) throws(Unreadable) -> Bool {
    switch text.lowercased() {
    case "yes", "true", "on", "1": return true
    case "no", "false", "off", "0": return false
    default: throw Unreadable(message: "write yes or no")
    }
  }

  /// Reads items with commas between; quotes keep a comma within an item.
  package static func list(_ text: String) throws(Unreadable) -> [String] {
    try words(text, separatedBy: { $0 == "," }, skipsEmpty: false).map {
      $0.isQuoted ? $0.text : String($0.text[...].trimmed)
    }.filter { !$0.isEmpty }
  }

  /// A word or an item of a value, and where it stands.
  package struct Piece: Hashable, Sendable {
    package var text: String
    /// In characters from the start of the value.
    package var offset: Int

    package init(_ text: String, at offset: Int) {
      self.text = text
      self.offset = offset
    }
  }

  /// The items between commas as they are written, with their quotes; empty ones are left out.
  package static func items(_ text: String) throws(Unreadable) -> [Piece] {
    let characters = Array(text)
    return try words(text, separatedBy: { $0 == "," }, skipsEmpty: false).compactMap { word in
      let written = characters[word.range]
      guard let first = written.firstIndex(where: { !$0.isWhitespace }) else { return nil }
      return Piece(String(String(written)[...].trimmed), at: first)
    }
  }

  /// Reads an argument vector: words with white space between.
  ///
  /// Double quotes group, and in them `\"` and `\\` stand for the second character; single quotes
  /// group and leave everything as it is; outside of quotes a backslash takes the next character as
  /// it is. No variables, no wildcards, no shell.
  package static func arguments(_ text: String) throws(Unreadable) -> [String] {
    try pieces(text).map(\.text)
  }

  /// The words of `arguments(_:)` and where each stands.
  package static func pieces(_ text: String) throws(Unreadable) -> [Piece] {
    try words(text, separatedBy: \.isWhitespace, skipsEmpty: true).map {
      Piece($0.text, at: $0.range.lowerBound)
    }
  }

  /// Writes a word the way `arguments(_:)` reads it, also as a part of an item of `items(_:)`.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { !"\"'\\,".contains($0) && !$0.isWhitespace }
    if isPlain { return word }
    return "\"" + word.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }

  /// Takes the quotes off a value that is one quoted word; leaves any other as it is.
  package static func text(_ value: String) throws(Unreadable) -> String {
    guard let quote = value.first, quote == "\"" || quote == "'" else { return value }
    let words = try words(value, separatedBy: { _ in false }, skipsEmpty: false)
    guard words.count == 1, words[0].isWholeQuoted else { return value }
    return words[0].text
  }

  private struct Word {
    var text = ""
    var isQuoted = false
    /// Whether nothing stands outside of one pair of quotes.
    var isWholeQuoted = false
    /// What of the value it was read from, in characters.
    var range = 0..<0
  }

  private static func words(
    _ text: String,
    separatedBy isSeparator: (Character) -> Bool,
    skipsEmpty: Bool
  ) throws(Unreadable) -> [Word] {
    var words: [Word] = []
    var word = Word()
    var quote: Character?
    var quoteOffset = 0
    var pairs = 0
    var hasBare = false
    var isEscaped = false
    var hasAny = false
    var start = 0
    func finish(at end: Int) {
      word.isWholeQuoted = pairs == 1 && !hasBare
      word.range = start..<end
      if hasAny || !skipsEmpty { words.append(word) }
      word = Word()
      start = end + 1
      (pairs, hasBare, hasAny) = (0, false, false)
    }
    for (offset, character) in text.enumerated() {
      if isEscaped {
        isEscaped = false
        // In double quotes a backslash is itself before anything but a quote or another one.
        if quote == "\"", character != "\"", character != "\\" { word.text.append("\\") }
        word.text.append(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
        hasAny = true
        if quote == nil { hasBare = true }
      } else if let open = quote {
        if character == open { quote = nil } else { word.text.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        quoteOffset = offset
        word.isQuoted = true
        pairs += 1
        hasAny = true
      } else if isSeparator(character) {
        finish(at: offset)
      } else if character.isWhitespace, word.text.isEmpty, !word.isQuoted {
        // Before an item of a list, which may be in quotes.
        continue
      } else {
        word.text.append(character)
        hasAny = true
        hasBare = true
      }
    }
    guard quote == nil else {
      throw Unreadable(message: "this quote is not closed", offset: quoteOffset)
    }
    guard !isEscaped else {
      throw Unreadable(message: "nothing follows the backslash", offset: text.count - 1)
    }
    finish(at: text.count)
    return words
  }
}

extension Int64 {
  fileprivate func adding(_ other: Int64) -> Int64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}

extension Substring {
  /// Without the white space at both ends.
  package var trimmed: Substring {
    guard let start = firstIndex(where: { !$0.isWhitespace }),
      let end = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[start...end]
  }
}

/// A program and its arguments as plugins.conf writes `run`: blanks between them, double quotes in
/// which `\"` and `\\` stand for the second character, single quotes, and a backslash before one.
enum ArgumentText {
  /// The words; nil if a quote is not closed.
  static func words(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text.makeIterator()
    while let character = characters.next() {
      switch (quote, character) {
      case ("'"?, "'"), ("\""?, "\""): quote = nil
      case ("'"?, _): word?.append(character)
      case ("\""?, "\\"):
        guard let next = characters.next() else { return nil }
        if next != "\"", next != "\\" { word?.append("\\") }
        word?.append(next)
      case ("\""?, _): word?.append(character)
      case (_, "\\"):
        guard let next = characters.next() else { return nil }
        word = (word ?? "") + String(next)
      case (_, "'"), (_, "\""):
        quote = character
        word = word ?? ""
      case (_, " "), (_, "\t"):
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    if let word { words.append(word) }
    return words
  }
}

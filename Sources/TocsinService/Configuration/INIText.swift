import TocsinModel

/// A configuration file taken apart: sections and their keys, each with its place.
///
/// It knows no key; what they mean is `ConfigurationKey`'s.
struct INIText {
  /// A place in a file, counted in lines and characters from 1.
  struct Place: Hashable, Sendable {
    var file: String
    var line: Int
    var column: Int
  }

  struct Section: Hashable, Sendable {
    /// The first word: `daemon`, `access`, `plugin` or `route`.
    var kind: String
    /// The second word; empty if there is none.
    var name: String
    var place: Place
    var entries: [Entry]
  }

  struct Entry: Hashable, Sendable {
    var key: String
    /// What stands behind the `=`, without the spaces around it.
    var value: String
    var place: Place
    var valuePlace: Place
  }

  private(set) var sections: [Section] = []
  private(set) var problems: [ConfigurationError.Problem] = []

  /// Reads a whole file; what cannot be read becomes a problem and the rest is still read.
  init(_ text: String, file: String) {
    var number = 0
    // After a header that could not be read its keys have no section and are no news.
    var isSkipping = false
    var body = Substring(text)
    if body.unicodeScalars.first == "\u{FEFF}" { body = Substring(body.unicodeScalars.dropFirst()) }
    for line in body.split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    ) {
      number += 1
      let content = line.trimmed
      guard let first = content.first, first != "#", first != ";" else { continue }
      let place = { (part: Substring) in
        Place(
          file: file,
          line: number,
          column: line.distance(from: line.startIndex, to: part.startIndex) + 1
        )
      }
      if let wrong = content.firstIndex(where: \.isForbidden) {
        problems.append(.init(place(content[wrong...]), "a control character does not belong here"))
        continue
      }
      if first == "[" {
        isSkipping = !readHeader(content, place)
      } else if !isSkipping {
        readEntry(content, place)
      }
    }
  }

  /// False if it is no header.
  private mutating func readHeader(
    _ content: Substring,
    _ place: (Substring) -> Place
  ) -> Bool {
    guard content.last == "]" else {
      problems.append(
        .init(
          place(content.suffix(1)),
          "a section's line ends with its ], comments have a line of their own"
        )
      )
      return false
    }
    let words = content.dropFirst().dropLast().split(whereSeparator: \.isWhitespace)
    guard let kind = words.first, words.count <= 2 else {
      let kinds = "[daemon], [access], [plugin NAME] or [route NAME]"
      problems.append(.init(place(content), "a section is \(kinds)"))
      return false
    }
    let name = words.count == 2 ? words[1] : ""
    if let wrong = name.firstIndex(where: { !$0.isNamePart }) {
      problems.append(.init(place(name[wrong...]), "a name is made of letters, digits, - and _"))
      return false
    }
    guard name.count <= 64 else {
      problems.append(.init(place(name), "a name has at most 64 letters"))
      return false
    }
    sections.append(
      Section(
        kind: String(kind),
        name: String(name),
        place: place(kind),
        entries: []
      )
    )
    return true
  }

  private mutating func readEntry(_ content: Substring, _ place: (Substring) -> Place) {
    guard let equals = content.firstIndex(of: "="), equals != content.startIndex else {
      problems.append(.init(place(content), "not a section, a comment or key = value"))
      return
    }
    let key = content[..<equals].trimmed
    if let wrong = key.firstIndex(where: { !$0.isNamePart && $0 != "." }) {
      problems.append(
        .init(place(key[wrong...]), "a key is made of letters, digits, -, _ and .")
      )
      return
    }
    guard !sections.isEmpty else {
      problems.append(.init(place(key), "the key \(key) stands before the first section"))
      return
    }
    let value = content[content.index(after: equals)...].trimmed
    let section = sections.count - 1
    if let earlier = sections[section].entries.first(where: { $0.key == key }) {
      problems.append(
        .init(place(key), "\(key) is set in line \(earlier.place.line) already")
      )
      return
    }
    sections[section].entries.append(
      Entry(
        key: String(key),
        value: String(value),
        place: place(key),
        valuePlace: place(value.isEmpty ? content.suffix(1) : value)
      )
    )
  }
}

extension Character {
  fileprivate var isForbidden: Bool {
    unicodeScalars.contains { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }
  }
}

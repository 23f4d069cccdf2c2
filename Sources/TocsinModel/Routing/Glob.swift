/// A pattern for a whole text: `*` stands for any characters, `?` for one, the rest for itself in
/// either case.
package struct Glob: Hashable, Sendable {
  /// The pattern as it was written.
  package let text: String
  private let pattern: [Character]

  package init(_ text: some StringProtocol) {
    self.text = String(text)
    pattern = Array(text.lowercased())
  }

  /// Whether the whole of a text fits.
  ///
  /// Goes back to the last `*` only, so the time is at most the product of both lengths.
  package func matches(_ text: String) -> Bool {
    let text = Array(text.lowercased())
    var (place, at) = (0, 0)
    var star: (place: Int, at: Int)?
    while at < text.count {
      if place < pattern.count, pattern[place] == "*" {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[at] {
        place += 1
        at += 1
      } else if let last = star {
        star = (last.place, last.at + 1)
        (place, at) = (last.place + 1, last.at + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == "*" }
  }
}

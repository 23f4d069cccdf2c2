import TocsinTime

/// All that is wrong with the configuration, reported together.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
  /// The problems in the order of files and lines; never empty.
  package var problems: [Problem]

  /// One thing that is wrong, and where.
  package struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    package var file: String
    /// Line and column from 1, counted in characters; 0 if it is about the file as a whole.
    package var line: Int
    package var column: Int
    /// What is wrong and what to do about it.
    package var message: String

    init(_ place: INIText.Place, _ message: String) {
      file = place.file
      line = place.line
      column = place.column
      self.message = message
    }

    init(file: String, _ message: String) {
      self.init(INIText.Place(file: file, line: 0, column: 0), message)
    }

    package var description: String {
      line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
    }
  }

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// The known word that is nearest to a misspelt one, as `", did you mean X?"`; else empty.
func suggestion(for word: String, among known: [String]) -> String {
  NearestWord.of(word, in: known).map { ", did you mean \($0)?" } ?? ""
}

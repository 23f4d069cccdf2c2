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
  let nearest = known.map { (word: $0, distance: editDistance(word, $0)) }
    .min { $0.distance < $1.distance }
  guard let nearest, nearest.distance <= max(1, word.count / 3) else { return "" }
  return ", did you mean \(nearest.word)?"
}

/// How many letters to insert, delete, replace or swap with a neighbour to get from one to the other.
private func editDistance(_ first: String, _ second: String) -> Int {
  let a = Array(first.lowercased().unicodeScalars)
  let b = Array(second.lowercased().unicodeScalars)
  guard a.count <= 64, b.count <= 64 else { return .max }
  var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
  for i in 0...a.count { rows[i][0] = i }
  for j in 0...b.count { rows[0][j] = j }
  for i in stride(from: 1, through: a.count, by: 1) {
    for j in stride(from: 1, through: b.count, by: 1) {
      let isSame = a[i - 1] == b[j - 1]
      rows[i][j] = min(
        rows[i - 1][j] + 1,
        rows[i][j - 1] + 1,
        rows[i - 1][j - 1] + (isSame ? 0 : 1)
      )
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
      }
    }
  }
  return rows[a.count][b.count]
}

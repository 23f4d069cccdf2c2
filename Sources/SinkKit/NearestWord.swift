/// The known word that somebody probably meant.
enum NearestWord {
  /// The word with the fewest insertions, deletions, changes and swaps of neighbours to go; nil if
  /// even that one needs more than a third of its letters changed.
  static func of(_ text: String, in words: [String]) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let scored = words.map { (word: $0, distance: distance(Array(text.utf8), Array($0.utf8))) }
    guard let best = scored.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }),
      best.distance <= max(1, (best.word.utf8.count + 1) / 3)
    else { return nil }
    return best.word
  }

  /// Damerau's distance in its restricted form (optimal string alignment).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}

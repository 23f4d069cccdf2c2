/// The known word that somebody probably meant.
package enum NearestWord {
  /// The only word that begins so, else the one with the fewest letters to put in, take out, exchange
  /// or swap with their neighbour; in either case of letters.
  ///
  /// - Returns: nil if even the nearest needs more than a third of its letters changed, and more than
  ///   one.
  package static func of(_ text: String, in words: [String]) -> String? {
    guard text.utf8.count <= 64 else { return nil }
    let wanted = text.lowercased()
    let beginning = words.filter { wanted.utf8.count >= 2 && $0.lowercased().hasPrefix(wanted) }
    if beginning.count == 1 { return beginning[0] }
    let letters = Array(wanted.utf8)
    let scored = words.map {
      (word: $0, distance: distance(letters, Array($0.lowercased().utf8)))
    }
    guard let best = scored.min(by: { ($0.distance, $0.word) < ($1.distance, $1.word) }),
      best.distance <= max(1, best.word.utf8.count / 3)
    else { return nil }
    return best.word
  }

  /// Damerau's distance in its restricted form (optimal string alignment).
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var last = Array(0...right.count)
    var (beforeLast, current) = (last, last)
    for row in left.indices {
      current[0] = row + 1
      for column in right.indices {
        let same = left[row] == right[column]
        var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current[column + 1] = best
      }
      swap(&beforeLast, &last)
      swap(&last, &current)
    }
    return last[right.count]
  }
}

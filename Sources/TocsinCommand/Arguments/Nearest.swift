/// The known word that most likely was meant; nil if none is near.
///
/// Near is up to a third of its letters, at least one, added, left out, replaced or swapped with
/// their neighbour; or the only word that begins so.
func nearest(to word: String, among known: [String]) -> String? {
  let beginning = known.filter { word.count >= 2 && $0.hasPrefix(word) }
  if beginning.count == 1 { return beginning[0] }
  let ranked = known.map { (word: $0, distance: editDistance(word, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, best.word.count / 3)
  else { return nil }
  return best.word
}

/// How many single changes turn one word into the other: the optimal string alignment distance.
func editDistance(_ left: String, _ right: String) -> Int {
  let left = Array(left.lowercased())
  let right = Array(right.lowercased())
  if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
  var before: [Int] = []
  var previous = Array(0...right.count)
  for i in 1...left.count {
    var current = [i]
    for j in 1...right.count {
      let change = left[i - 1] == right[j - 1] ? 0 : 1
      var cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change)
      if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
        cost = min(cost, before[j - 2] + 1)
      }
      current.append(cost)
    }
    before = previous
    previous = current
  }
  return previous[right.count]
}

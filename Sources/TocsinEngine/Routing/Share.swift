import TocsinModel

/// What one sink is to present of an alarm.
struct Share: Hashable, Sendable {
  /// The parts of it that are asked, sorted; nil is the whole of it.
  var parts: [String]?
  /// The loudest it may be; nil is no limit.
  var limit: Double?

  /// The whole sink, as loud as it is.
  static let whole = Share()

  init(part: String? = nil, limit: Double? = nil) {
    parts = part.map { [$0] }
    self.limit = limit
  }

  /// Takes in what another rule wants of the same sink: the less restrictive wins.
  mutating func join(_ other: Share) {
    if let mine = parts, let theirs = other.parts {
      parts = Set(mine + theirs).sorted()
    } else {
      parts = nil
    }
    if let mine = limit, let theirs = other.limit {
      limit = max(mine, theirs)
    } else {
      limit = nil
    }
  }

  /// The presentation as this sink gets it.
  func of(_ presentation: Presentation, seq: UInt64) -> Presentation {
    guard self != .whole || seq != presentation.seq else { return presentation }
    var presentation = presentation
    presentation.seq = seq
    presentation.parts = parts
    presentation.volumeLimit = limit
    return presentation
  }
}

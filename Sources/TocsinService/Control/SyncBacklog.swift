import TocsinModel

/// The part of a subscriber's first `sync` that did not fit into one line, sent as fast as it reads.
///
/// What is presented anew or cleared meanwhile is left out: the subscriber has the newer event already.
final class SyncBacklog {
  private var rest: ArraySlice<(occurrence: OccurrenceID, line: [UInt8])>
  private var superseded: Set<OccurrenceID> = []

  init(_ batch: SyncBatch) {
    rest = batch.rest[...]
  }

  /// Leaves out the presentation of an occurrence of which a newer event was sent.
  func supersede(_ occurrence: OccurrenceID) {
    if !rest.isEmpty { superseded.insert(occurrence) }
  }

  /// The next event that still holds; nil at the end.
  func next() -> [UInt8]? {
    while let (occurrence, line) = rest.popFirst() {
      if !superseded.contains(occurrence) { return line }
    }
    superseded = []
    return nil
  }
}

extension SinkMessage {
  /// The occurrence whose presentation this event replaces; nil if it replaces none.
  var presentedOccurrence: OccurrenceID? {
    switch self {
    case .present(let presentation): presentation.occurrence
    case .cleared(let cleared): cleared.occurrence
    default: nil
    }
  }
}

import TocsinModel

/// All that is presented, as lines: one `sync` of at most the protocol's length, and events for what
/// does not fit into it.
struct SyncBatch {
  let sync: [UInt8]
  let rest: [(occurrence: OccurrenceID, line: [UInt8])]

  /// Encodes each presentation once; one that cannot be encoded is left out.
  init(_ presentations: [Presentation]) {
    var sync = Array(#"{"type":"sync","presentations":["#.utf8)
    let tail = Array("]}\n".utf8)
    var rest: [(OccurrenceID, [UInt8])] = []
    var isFirst = true
    for presentation in presentations {
      guard let line = try? JSONLine.encode(SinkMessage.present(presentation)) else { continue }
      // Once one did not fit, the rest keeps its order behind it.
      if rest.isEmpty, sync.count + line.count + tail.count <= JSONLine.limit {
        if !isFirst { sync.append(UInt8(ascii: ",")) }
        isFirst = false
        sync += line.dropLast()
      } else {
        rest.append((presentation.occurrence, line))
      }
    }
    self.sync = sync + tail
    self.rest = rest
  }
}

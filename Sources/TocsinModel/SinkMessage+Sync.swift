extension SinkMessage {
  /// All that is presented, as lines: one `sync`, and after it events for what would not fit in it.
  package static func sync(lines presentations: [Presentation]) -> [[UInt8]] {
    var fitting: [Presentation] = []
    var size = 0
    var rest: [[UInt8]] = []
    for presentation in presentations {
      guard let line = try? JSONLine.encode(SinkMessage.present(presentation)) else { continue }
      size += line.count
      if rest.isEmpty, size < JSONLine.limit - 100 {
        fitting.append(presentation)
      } else {
        rest.append(line)
      }
    }
    guard let sync = try? JSONLine.encode(SinkMessage.sync(fitting)) else { return rest }
    return [sync] + rest
  }
}

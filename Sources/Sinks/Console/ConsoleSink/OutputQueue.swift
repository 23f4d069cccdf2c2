/// What is to be written, bounded: when nobody reads, the oldest goes.
struct OutputQueue {
  /// Some text, and the events that are presented once it is written.
  struct Chunk: Equatable {
    var bytes: [UInt8]
    var events: [UInt64]
  }

  /// Bytes kept at most.
  let limit: Int
  /// Events whose text was dropped, since the last line about it.
  private(set) var dropped = 0

  private var chunks: [Chunk] = []
  private var count = 0
  /// How much of the first chunk is written; its rest must follow, or lines would run together.
  private var written = 0

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { chunks.isEmpty }

  /// What is to be written next; nil if there is nothing.
  var front: ArraySlice<UInt8>? { chunks.first.map { $0.bytes[written...] } }

  /// The events that wait for their text to be written.
  var events: [UInt64] { chunks.flatMap(\.events) }

  /// Adds a chunk with text and gives the events whose text had to be dropped for it.
  mutating func append(_ chunk: Chunk) -> [UInt64] {
    chunks.append(chunk)
    count += chunk.bytes.count
    var lost: [UInt64] = []
    while count > limit, chunks.count > (written > 0 ? 2 : 1) {
      let oldest = chunks.remove(at: written > 0 ? 1 : 0)
      count -= oldest.bytes.count
      lost += oldest.events
      dropped += 1
    }
    return lost
  }

  /// Notes that so many bytes are written and gives the events that are presented by it.
  mutating func removeFirst(_ length: Int) -> [UInt64] {
    guard let first = chunks.first else { return [] }
    written += length
    guard written >= first.bytes.count else { return [] }
    chunks.removeFirst()
    count -= first.bytes.count
    written = 0
    return first.events
  }

  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Drops everything and gives the events that waited.
  mutating func removeAll() -> [UInt64] {
    defer {
      chunks = []
      count = 0
      written = 0
    }
    return events
  }
}

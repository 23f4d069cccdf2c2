/// Puts a stream of bytes together into lines, in bounded memory.
package struct LineReader: Sendable {
  /// What becomes of a line that is longer than the limit.
  package enum Overlong: Sendable {
    /// It is left out as a whole: half a message is none.
    case skip
    /// It is cut into lines of the limit's length: half a sentence in a log is worth reading.
    case split
  }

  package enum Item: Hashable, Sendable {
    /// A line without its newline.
    case line([UInt8])
    /// The beginning of a line that is too long and left out.
    case overlong
  }

  private let limit: Int
  private let overlong: Overlong
  private var pending: [UInt8] = []
  private var isSkipping = false

  /// Makes a reader of lines of at most `limit` bytes, the newline included.
  package init(limit: Int, overlong: Overlong) {
    self.limit = limit
    self.overlong = overlong
  }

  /// Takes the next bytes and returns the lines they complete.
  package mutating func read(_ bytes: some RandomAccessCollection<UInt8>) -> [Item] {
    // Once for all of them: what is generic costs a call for each byte where it is used from elsewhere.
    bytes.withContiguousStorageIfAvailable { read(contiguous: $0) }
      ?? Array(bytes).withUnsafeBufferPointer { read(contiguous: $0) }
  }

  private mutating func read(contiguous bytes: UnsafeBufferPointer<UInt8>) -> [Item] {
    var items: [Item] = []
    var rest = bytes[...]
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<newline], &items)
      if !isSkipping { items.append(.line(pending)) }
      isSkipping = false
      pending.removeAll(keepingCapacity: true)
      rest = rest[(newline + 1)...]
    }
    take(rest, &items)
    return items
  }

  /// Returns what stands after the last newline, at the end of the stream.
  package mutating func finish() -> [Item] {
    guard !pending.isEmpty else { return [] }
    defer { pending = [] }
    return [.line(pending)]
  }

  private mutating func take(_ part: Slice<UnsafeBufferPointer<UInt8>>, _ items: inout [Item]) {
    guard !isSkipping else { return }
    var rest = part
    while pending.count + rest.count >= limit {
      switch overlong {
      case .skip:
        pending.removeAll(keepingCapacity: true)
        isSkipping = true
        items.append(.overlong)
        return
      case .split:
        let room = limit - 1 - pending.count
        items.append(.line(pending + rest.prefix(room)))
        pending.removeAll(keepingCapacity: true)
        rest = rest.dropFirst(room)
      }
    }
    pending += rest
  }
}

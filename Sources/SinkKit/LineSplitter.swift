/// Cuts a stream of bytes into the protocol's lines; one that is too long costs no memory.
struct LineSplitter {
  /// What was found in the stream.
  enum Piece: Equatable {
    /// A line without its newline; never empty.
    case line([UInt8])
    /// The end of a line that was longer than a line may be, and how long it was.
    case tooLong(Int)
  }

  private let limit: Int
  private var rest: [UInt8] = []
  /// Bytes of the line under way that were thrown away, as it is too long.
  private var skipped = 0

  /// - Parameter limit: the most bytes in a line, its newline included.
  init(limit: Int = JSONLine.limit) { self.limit = limit }

  mutating func feed(_ bytes: ArraySlice<UInt8>) -> [Piece] {
    var pieces: [Piece] = []
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      take(bytes[start..<end])
      if let piece = finish() { pieces.append(piece) }
      start = end + 1
    }
    take(bytes[start...])
    return pieces
  }

  /// The last line, if the stream ended without a newline.
  mutating func finish() -> Piece? {
    defer {
      rest.removeAll(keepingCapacity: rest.capacity <= 4096)
      skipped = 0
    }
    if skipped > 0 { return .tooLong(skipped) }
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    return rest.isEmpty ? nil : .line(rest)
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    if skipped == 0, rest.count + bytes.count < limit {
      rest += bytes
    } else if !bytes.isEmpty {
      skipped += rest.count + bytes.count
      rest = []
    }
  }
}

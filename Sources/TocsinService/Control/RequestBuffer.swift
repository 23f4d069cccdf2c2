import TocsinModel

/// Puts the bytes of a stream together into lines of at most `JSONLine.limit` bytes.
///
/// A longer line is reported once and skipped to its end, at no more than the limit's cost in memory.
struct RequestBuffer {
  enum Piece: Equatable {
    case line(ArraySlice<UInt8>)
    case tooLong
  }

  private var bytes: [UInt8] = []
  private var isSkipping = false

  /// Whether a line has begun that has not ended.
  var isPartial: Bool { isSkipping || !bytes.isEmpty }

  /// Takes bytes in and calls `body` for each line they complete, without its newline.
  mutating func append(_ new: UnsafeRawBufferPointer, _ body: (Piece) -> Void) {
    bytes.append(contentsOf: new)
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if isSkipping {
        isSkipping = false
      } else if end - start >= JSONLine.limit {
        body(.tooLong)
      } else if end > start {
        body(.line(bytes[start..<end]))
      }
      start = end + 1
    }
    bytes.removeSubrange(..<start)
    if bytes.count >= JSONLine.limit {
      if !isSkipping { body(.tooLong) }
      isSkipping = true
    }
    if isSkipping { bytes = [] }
    if bytes.isEmpty { bytes = [] }
  }
}

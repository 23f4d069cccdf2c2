import TocsinModel

/// Puts the bytes of a stream together into lines of at most `JSONLine.limit` bytes.
///
/// A longer line is reported once and skipped to its end, at no more than the limit's cost in memory.
/// Empty lines are left out; a carriage return is white space to JSON and stays.
struct RequestBuffer {
  enum Piece: Equatable {
    case line(ArraySlice<UInt8>)
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  /// The first byte that was not handed out.
  private var start = 0
  /// Where to go on looking for a newline, so that slow lines are not searched again and again.
  private var searched = 0
  private var isSkipping = false

  /// - Parameter limit: the most bytes of a line, its newline included.
  init(limit: Int = JSONLine.limit) {
    self.limit = limit
  }

  /// Whether a line has begun that has not ended; to be asked once `next` has returned nil.
  var isPartial: Bool { isSkipping || start < bytes.count }

  /// Takes bytes in.
  mutating func append(_ new: UnsafeRawBufferPointer) {
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes.append(contentsOf: new)
  }

  /// The next whole line without its newline, or the news that one is too long; nil if there is none.
  mutating func next() -> Piece? {
    while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = bytes[start..<end]
      start = end + 1
      searched = start
      if isSkipping {
        isSkipping = false
      } else if line.count >= limit {
        return .tooLong
      } else if !line.isEmpty {
        return .line(line)
      }
    }
    searched = bytes.count
    let isTooLong = !isSkipping && bytes.count - start >= limit
    if isTooLong { isSkipping = true }
    if isSkipping || start == bytes.count {
      bytes = []
      start = 0
      searched = 0
    }
    return isTooLong ? .tooLong : nil
  }
}

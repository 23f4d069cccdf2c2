/// Bytes as they arrive, cut into lines.
struct LineBuffer {
  private var bytes: [UInt8] = []
  private var start = 0
  /// Where the search for a newline goes on, so that a long line is not searched over and over.
  private var searched = 0

  /// How many bytes wait for their newline, or for being taken.
  var count: Int { bytes.count - start }

  /// Adds what was read.
  mutating func append(_ part: some Sequence<UInt8>) {
    bytes.append(contentsOf: part)
  }

  /// Takes the first whole line, without its newline; nil if none has ended yet.
  mutating func takeLine() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      compact()
      return nil
    }
    let line = bytes[start..<end]
    start = end + 1
    searched = start
    return line
  }

  private mutating func compact() {
    guard start > 0 else { return }
    bytes.removeFirst(start)
    searched -= start
    start = 0
  }
}

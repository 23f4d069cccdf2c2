/// JSON as it is written, byte by byte: objects and arrays are opened and closed, commas come by themselves.
///
/// Source: RFC 8259.
struct JSONText {
  private(set) var bytes: [UInt8] = []
  /// The objects and arrays that are open, and whether each has something in it.
  private var open: [(end: UInt8, isEmpty: Bool)] = []

  init() { bytes.reserveCapacity(1_024) }

  var depth: Int { open.count }

  mutating func openObject() { begin(UInt8(ascii: "{"), end: UInt8(ascii: "}")) }
  mutating func openArray() { begin(UInt8(ascii: "["), end: UInt8(ascii: "]")) }

  /// Closes what is open beyond a depth.
  mutating func close(to depth: Int) {
    while open.count > depth, let last = open.popLast() { bytes.append(last.end) }
  }

  /// Begins a member of the innermost object.
  mutating func key(_ key: String) {
    separate()
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins a member whose key is a name of the code, in which nothing is to be escaped.
  mutating func key(_ key: some CodingKey) {
    separate()
    plain(key.stringValue)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Begins an element of the innermost array, or a member of the innermost object.
  mutating func separate() {
    guard let last = open.indices.last else { return }
    if !open[last].isEmpty { bytes.append(UInt8(ascii: ",")) }
    open[last].isEmpty = false
  }

  mutating func null() { bytes.append(contentsOf: "null".utf8) }
  mutating func bool(_ value: Bool) { bytes.append(contentsOf: (value ? "true" : "false").utf8) }

  mutating func integer(_ value: some FixedWidthInteger) {
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Writes the shortest number that reads back the same; false for what JSON has no number for.
  mutating func number(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    // Whole numbers are written without a fraction.
    if let whole = Int64(exactly: value) {
      integer(whole)
    } else {
      bytes.append(contentsOf: value.description.utf8)
    }
    return true
  }

  mutating func string(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
        escape(byte)
        start = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a text in which nothing is to be escaped.
  mutating func plain(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a text of at most that many bytes, in which nothing is to be escaped, without a `String` of it.
  mutating func plain(
    upTo capacity: Int,
    _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    bytes.append(UInt8(ascii: "\""))
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
      let count = write(buffer)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  private mutating func begin(_ start: UInt8, end: UInt8) {
    bytes.append(start)
    open.append((end, true))
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0")])
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 0xF)])
    }
  }
}

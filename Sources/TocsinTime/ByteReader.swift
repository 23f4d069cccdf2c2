/// Reads fixed-format ASCII text from the front; every reader of this module stands on it.
///
/// Parsing bytes, not characters, keeps the accepted alphabet to ASCII: `Character.isNumber` would
/// let Arabic-Indic digits and fractions through.
struct ByteReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  var atEnd: Bool { position == bytes.count }

  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Takes the next byte if it is one of these ASCII characters.
  mutating func take(_ wanted: StaticString) -> UInt8? {
    guard let byte = peek else { return nil }
    let isWanted = wanted.withUTF8Buffer { $0.contains(byte) }
    guard isWanted else { return nil }
    position += 1
    return byte
  }

  /// Takes the next byte if it satisfies the predicate.
  mutating func take(where predicate: (UInt8) -> Bool) -> UInt8? {
    guard let byte = peek, predicate(byte) else { return nil }
    position += 1
    return byte
  }

  /// Takes a decimal number of that many digits, as many as there are up to the upper bound.
  ///
  /// - Parameter count: the digits allowed; at most 18, so that the value fits an `Int`.
  /// - Returns: nil, with the position unchanged, if fewer digits than the lower bound follow.
  mutating func number(digits count: ClosedRange<Int>) -> Int? {
    let start = position
    var value = 0
    while position - start < min(count.upperBound, 18), let byte = peek, byte.isASCIIDigit {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    guard position - start >= count.lowerBound else {
      position = start
      return nil
    }
    return value
  }

  /// Takes the text as long as the predicate holds.
  mutating func text(while predicate: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = peek, predicate(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}

extension UInt8 {
  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  var isASCIILetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }
}

/// The number in decimal with leading zeros, `width` digits at least.
func padded(_ number: some BinaryInteger, _ width: Int) -> String {
  let digits = String(number.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.count))
  return (number < 0 ? "-" : "") + zeros + digits
}

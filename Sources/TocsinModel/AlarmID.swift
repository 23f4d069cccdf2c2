/// The identity of an alarm: a UUID, held as two words and written in lower case.
///
/// Sixteen bytes without a heap allocation, so that a million of them stay small. Source: RFC 9562.
public struct AlarmID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  public let high: UInt64
  /// The last eight bytes, most significant first.
  public let low: UInt64

  /// Makes the identity from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes a random (version 4) identity from the given generator.
  ///
  /// - Parameter generator: the source of 128 random bits; the version bits are set here.
  public init(using generator: inout some RandomNumberGenerator) {
    high = (generator.next() & ~0xF000) | 0x4000
    low = (generator.next() & ~(0b11 << 62)) | (0b10 << 62)
  }
}

extension AlarmID: LosslessStringConvertible {
  /// Reads the 36 characters of a UUID in either case; nil for anything else.
  public init?(_ text: String) {
    self.init(text[...])
  }

  /// Reads a part of a text as `init(_:)` does.
  package init?(_ text: Substring) {
    var words: (UInt64, UInt64) = (0, 0)
    var digits = 0
    var position = 0
    for byte in text.utf8 {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard digits < 32, let value = hexadecimalDigit(byte) else { return nil }
        if digits < 16 { words.0 = words.0 << 4 | value } else { words.1 = words.1 << 4 | value }
        digits += 1
      }
      position += 1
    }
    guard position == 36, digits == 32 else { return nil }
    self.init(high: words.0, low: words.1)
  }

  /// The 36 characters of the UUID, in lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.length) { write(to: $0) }
  }

  /// How many characters a UUID has.
  static let length = 36

  /// Writes the 36 characters to the beginning of a buffer, and tells how many they are.
  @discardableResult
  func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var position = 0
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        buffer[position] = UInt8(ascii: "-")
        position += 1
      }
      let word = index < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index % 16))) & 0xF
      buffer[position] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      position += 1
    }
    return position
  }
}

extension AlarmID: Codable {
  /// Decodes the 36 characters of a UUID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = AlarmID(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID: \(text)")
    }
    self = id
  }

  /// Encodes the 36 characters of the UUID, in lower case.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The value of one hexadecimal digit in either case.
func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}

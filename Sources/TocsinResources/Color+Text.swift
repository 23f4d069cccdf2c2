#if !TOCSIN_SWIFTUI_COLOR
  extension Color {
    /// Reads `#ff9500` or `#ff950080`, in either case; nil for anything else.
    public init?(hex: String) {
      let digits = hex.dropFirst().utf8
      guard hex.first == "#", digits.count == 6 || digits.count == 8,
        digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt32(hex.dropFirst(), radix: 16)
      else { return nil }
      let bits = digits.count == 8 ? value : value << 8 | 0xff
      self.init(
        channels: SIMD4(
          UInt8(truncatingIfNeeded: bits >> 24),
          UInt8(truncatingIfNeeded: bits >> 16),
          UInt8(truncatingIfNeeded: bits >> 8),
          UInt8(truncatingIfNeeded: bits)
        )
      )
    }

    /// The colour as `#ff9500`, or `#ff950080` unless it covers all.
    public var hex: String {
      let count = channels[3] == 255 ? 3 : 4
      return (0..<count).reduce(into: "#") { text, index in
        let digits = String(channels[index], radix: 16)
        text += digits.count == 1 ? "0" + digits : digits
      }
    }
  }

  extension Color: CustomStringConvertible {
    /// The colour as `#ff9500`.
    public var description: String { hex }
  }

  extension Color: Codable {
    /// Reads the text that `hex` is.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let color = Color(hex: text) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "no colour such as #ff9500: \(text)"
        )
      }
      self = color
    }

    /// Writes the text that `hex` is.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(hex)
    }
  }
#endif

extension Instant: CustomStringConvertible {
  /// The instant in UTC with milliseconds, such as "2027-03-28T01:30:00.000Z" (RFC 3339, 5.6).
  ///
  /// Microseconds are dropped. A year outside 0...9999, which RFC 3339 cannot write, gets a sign and
  /// as many digits as it needs; such text is not read back.
  public var rfc3339: String {
    let second = seconds
    let day = second.flooredQuotient(by: 86_400)
    let date = CivilDate(daysSince1970: Int32(clamping: day))
    let secondOfDay = second - day * 86_400
    let millisecond = Int((microseconds % 1_000_000 + 1_000_000) % 1_000_000 / 1_000)
    let clock = TimeOfDay(secondOfDay: Int(secondOfDay))
    let (year, month, dayOfMonth) = date.components
    guard 0...9_999 ~= year else {
      return "\(date)T\(clock.withSeconds).\(padded(millisecond, 3))Z"
    }
    // Every event has several of these, so the digits are put in place at once.
    return String(unsafeUninitializedCapacity: 24) { buffer in
      var writer = DigitWriter(buffer: buffer)
      writer.put(year, digits: 4, then: "-")
      writer.put(month, digits: 2, then: "-")
      writer.put(dayOfMonth, digits: 2, then: "T")
      writer.put(Int(clock.hour), digits: 2, then: ":")
      writer.put(Int(clock.minute), digits: 2, then: ":")
      writer.put(Int(clock.second), digits: 2, then: ".")
      writer.put(millisecond, digits: 3, then: "Z")
      return writer.count
    }
  }

  /// The same text as `rfc3339`.
  public var description: String { rfc3339 }

  /// Reads a date and time with its offset, such as "2027-03-28T03:30:00+02:00" (RFC 3339, 5.6).
  ///
  /// `T` may be `t` or a space, `Z` may be `z`; the fraction may be missing and is cut after the
  /// microsecond. Nil for anything else: no offset, a date or clock out of range, a leap second.
  public init?(rfc3339 text: some StringProtocol) {
    guard text.utf8.count <= 64 else { return nil }
    var reader = ByteReader(text)
    guard let date = CivilDate(from: &reader),
      reader.take("Tt ") != nil,
      let hour = reader.number(digits: 2...2),
      reader.take(":") != nil,
      let minute = reader.number(digits: 2...2),
      reader.take(":") != nil,
      let second = reader.number(digits: 2...2),
      let time = TimeOfDay(hour: hour, minute: minute, second: second)
    else { return nil }
    var fraction = 0
    if reader.take(".") != nil {
      let start = reader.position
      guard let digits = reader.number(digits: 1...6) else { return nil }
      fraction = digits
      for _ in (reader.position - start)..<6 { fraction *= 10 }
      while reader.take(where: \.isASCIIDigit) != nil {}
    }
    guard let offset = Self.offset(from: &reader), reader.atEnd else { return nil }
    let seconds = Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay) - Int64(offset)
    self = Instant(seconds: seconds).advanced(byMicroseconds: Int64(fraction))
  }

  /// Seconds east of UTC: "Z" or a sign, hours to 23 and minutes to 59.
  private static func offset(from reader: inout ByteReader) -> Int? {
    if reader.take("Zz") != nil { return 0 }
    guard let sign = reader.take("+-"),
      let hour = reader.number(digits: 2...2), hour <= 23,
      reader.take(":") != nil,
      let minute = reader.number(digits: 2...2), minute <= 59
    else { return nil }
    let magnitude = hour * 3_600 + minute * 60
    return sign == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}

extension Instant: Codable {
  /// Reads the instant from its RFC 3339 text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let instant = Instant(rfc3339: text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "\"\(text.shortened)\" is no RFC 3339 time such as 2027-03-28T01:30:00.000Z"
      )
    }
    self = instant
  }

  /// Writes the instant as its RFC 3339 text, in milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rfc3339)
  }
}

/// Writes numbers of a known width, each with the character behind it.
private struct DigitWriter {
  let buffer: UnsafeMutableBufferPointer<UInt8>
  var count = 0

  mutating func put(_ number: Int, digits: Int, then separator: Unicode.Scalar) {
    var rest = number
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
    buffer[count] = UInt8(ascii: separator)
    count += 1
  }
}

public import TocsinTime

/// The identity of one occurrence of an alarm: from its countdown or due instant until it is answered.
///
/// It is derived, never drawn: the alarm, the instant the occurrence came from and the alarm's own
/// count of occurrences give the same identity again after a crash, so nothing rings under two names.
/// Snoozing keeps it; only the next occurrence gets another.
public struct OccurrenceID: Hashable, Sendable {
  /// The alarm it belongs to.
  public let alarm: AlarmID
  /// The instant that began it: the due instant of a schedule, the start of a timer.
  public let origin: Instant
  /// How many occurrences this alarm had before it.
  public let serial: UInt32

  /// Makes the identity from its parts.
  public init(alarm: AlarmID, origin: Instant, serial: UInt32) {
    self.alarm = alarm
    self.origin = origin
    self.serial = serial
  }
}

extension OccurrenceID: LosslessStringConvertible {
  /// Reads what `description` writes; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let alarm = AlarmID(parts[0]),
      let origin = Int64(parts[1], radix: 36), let serial = UInt32(parts[2])
    else { return nil }
    self.init(alarm: alarm, origin: Instant(microseconds: origin), serial: serial)
  }

  /// The alarm's UUID, the origin in base 36 and the serial number, with colons between.
  public var description: String {
    let origin = String(origin.microseconds, radix: 36).utf8
    let serial = String(serial).utf8
    return String(unsafeUninitializedCapacity: 38 + origin.count + serial.count) { buffer in
      alarm.write(to: buffer)
      var position = 36
      for part in [origin, serial] {
        buffer[position] = UInt8(ascii: ":")
        position += 1
        for byte in part {
          buffer[position] = byte
          position += 1
        }
      }
      return position
    }
  }
}

extension OccurrenceID: Codable {
  /// Decodes the text form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = OccurrenceID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "not an occurrence: \(text)"
      )
    }
    self = id
  }

  /// Encodes the text form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

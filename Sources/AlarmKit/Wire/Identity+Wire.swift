package import TocsinModel
package import TocsinTime

extension AlarmID {
  /// The same identity as Foundation writes it.
  package init(_ uuid: UUID) {
    let bytes = uuid.uuid
    func word(_ bytes: UInt8...) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: word(bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7),
      low: word(bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15)
    )
  }
}

extension UUID {
  /// The same identity as Foundation has it.
  package init(_ id: AlarmID) {
    func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
      UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
    }
    self.init(
      uuid: (
        byte(id.high, 0), byte(id.high, 1), byte(id.high, 2), byte(id.high, 3),
        byte(id.high, 4), byte(id.high, 5), byte(id.high, 6), byte(id.high, 7),
        byte(id.low, 0), byte(id.low, 1), byte(id.low, 2), byte(id.low, 3),
        byte(id.low, 4), byte(id.low, 5), byte(id.low, 6), byte(id.low, 7)
      )
    )
  }
}

extension Date {
  /// The same instant.
  package init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6)
  }
}

extension Instant {
  /// The first whole millisecond at or after that date, as the protocol writes it; nil if it is none, or is
  /// not within the years 0 to 9999.
  package init?(_ date: Date) {
    let seconds = date.timeIntervalSince1970
    guard (-62_167_219_200.0..<253_402_300_800.0).contains(seconds) else { return nil }
    // To the microsecond first: what a Double adds to a whole millisecond is not part of the date.
    self = Instant(microseconds: Int64((seconds * 1e6).rounded())).roundedUpToMillisecond
  }
}

/// A time zone's whole history and future, ready to be asked; immutable and shared.
///
/// The rule of a zone repeats with the Gregorian calendar every 400 years, so one such cycle is
/// expanded when the zone is made (about 7 KB). Each question is then one binary search: nothing
/// is allocated, and there is no last year.
public final class Zone: Sendable {
  /// The name by which the zone was found, such as "Europe/Berlin".
  public let name: String

  /// POSIX seconds at which something changes, strictly ascending.
  let transitions: [Int64]
  /// The offset that holds before the first transition, then after each: one more than those.
  let segmentOffsets: [UInt16]
  let offsets: [ZoneOffset]
  /// Where the repeating part is; nil if nothing changes after the last transition.
  let cycle: Cycle?

  struct Cycle: Equatable {
    /// From here on a time is asked for as the same time one or more cycles earlier.
    let end: Int64
    /// Whether the rule also holds for all time before, as there is no history.
    let isEndless: Bool

    static let seconds: Int64 = 146_097 * 86_400
  }

  /// Reads a zone from a TZif file of version 1 to 4 (RFC 9636).
  ///
  /// - Parameters:
  ///   - name: what the zone is called in texts and errors.
  ///   - tzif: the whole file.
  /// - Throws: `ZoneError` with `.malformed`, or `.countsLeapSeconds` for files of "right/".
  public convenience init(name: String, tzif: [UInt8]) throws(ZoneError) {
    let file = try TZif(tzif, zone: name)
    var builder = Builder(before: file.offsets[0])
    for (time, index) in zip(file.transitions, file.indexes) {
      builder.append(time, file.offsets[Int(index)])
    }
    self.init(name: name, builder: builder, rule: file.footer)
  }

  /// Makes a zone from a POSIX TZ string, such as "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX.1-2017, 8.3).
  ///
  /// - Throws: `ZoneError` with `.badRule`.
  public convenience init(name: String, posix: String) throws(ZoneError) {
    let rule = try PosixRule(posix)
    self.init(name: name, builder: Builder(before: rule.standard), rule: rule)
  }

  /// Coordinated Universal Time, which needs no file.
  public static let utc = Zone(
    name: "UTC",
    builder: Builder(before: ZoneOffset(seconds: 0, isDaylight: false, abbreviation: "UTC")),
    rule: nil
  )

  private init(name: String, builder: Builder, rule: PosixRule?) {
    var builder = builder
    let isEndless = builder.transitions.isEmpty
    // With no history the footer holds for all time (RFC 9636, 3.3).
    if isEndless, let rule { builder = Builder(before: rule.standard) }
    cycle = rule.flatMap { builder.expand($0) }.map { Cycle(end: $0, isEndless: isEndless) }
    self.name = name
    transitions = builder.transitions
    segmentOffsets = builder.segmentOffsets
    offsets = builder.offsets
  }
}

extension Zone: Equatable {
  /// Whether both have the same name and the same rules; a new tzdata may change the latter.
  public static func == (left: Zone, right: Zone) -> Bool {
    left === right
      || left.name == right.name && left.transitions == right.transitions
        && left.segmentOffsets == right.segmentOffsets && left.offsets == right.offsets
        && left.cycle == right.cycle
  }
}

/// What a text is when read as a duration.
enum DurationText {
  case notADuration
  /// Whole microseconds, possibly zero.
  case duration(Int64)
  case refused(Refusal)
  /// Nothing but a number, which may mean many things.
  case number(String)

  /// A century in microseconds, the longest duration that is taken.
  ///
  /// What is longer is a slip of the finger.
  static let longest: Int64 = 36_525 * 86_400 * 1_000_000

  private static let units: [(names: [String], microseconds: Int64)] = [
    (["ms", "msec"], 1_000),
    (["s", "sec", "secs", "second", "seconds"], 1_000_000),
    (["m", "min", "mins", "minute", "minutes"], 60_000_000),
    (["h", "hr", "hrs", "hour", "hours"], 3_600_000_000),
    (["d", "day", "days"], 86_400_000_000),
    (["w", "week", "weeks"], 604_800_000_000),
  ]

  /// Reads numbers with units, or ISO 8601 ("PT1H30M").
  ///
  /// With `clocks`, "1:30:00" is a duration too; where a time of day may stand it is not.
  init(_ text: some StringProtocol, clocks: Bool) {
    let lower = text.lowercased()
    var reader = ByteReader(lower)
    do throws(Refusal) {
      if lower.hasPrefix("-"), lower.utf8.dropFirst().first?.isASCIIDigit == true {
        throw Refusal(
          reason: .outOfRange,
          understood: "it is negative",
          remedy: "write \(lower.dropFirst()) without the sign"
        )
      }
      if reader.take("p") != nil {
        let next = reader.peek
        guard next == UInt8(ascii: "t") || next?.isASCIIDigit == true else {
          self = .notADuration
          return
        }
        self = .duration(try Self.iso(&reader))
      } else if clocks, lower.utf8.contains(UInt8(ascii: ":")) {
        self = .duration(try Self.clock(&reader, lower))
      } else {
        self = try Self.numbers(&reader, lower)
      }
    } catch {
      self = .refused(error)
    }
  }

  /// The duration in microseconds, or the reason why there is none.
  ///
  /// A bare number may lack a unit or the `alternative`, "s" or ":00".
  func required(allowingZero: Bool, alternative: String) throws(Refusal) -> Int64 {
    switch self {
    case .duration(0) where !allowingZero:
      throw Refusal(
        reason: .outOfRange,
        understood: "it is no time at all",
        remedy: "write such as 10m"
      )
    case .duration(let microseconds): return microseconds
    case .refused(let refusal): throw refusal
    case .number(let digits):
      if digits.allSatisfy({ $0 == "0" }) {
        throw Refusal(understood: "0 is no time at all", remedy: "write such as 10m")
      }
      let isHour = digits.count <= 2 && (Int(digits) ?? 99) <= 23
      let other = alternative == ":00" && !isHour ? "s" : alternative
      throw Refusal(
        understood: "\(digits.shortened) is a number without a unit",
        remedy: "did you mean \(digits.shortened)m or \(digits.shortened)\(other)?"
      )
    case .notADuration:
      throw Refusal(understood: "it is no duration", remedy: "write such as 10m, 1h30m or 90s")
    }
  }

  /// "1h 30m", "1.5h", "2 min": each unit once, in any order.
  private static func numbers(
    _ reader: inout ByteReader,
    _ text: String
  ) throws(Refusal) -> DurationText {
    var total: Int64 = 0
    var used: Set<Int64> = []
    let space = UInt8(ascii: " ")
    if reader.atEnd { return .notADuration }
    while !reader.atEnd {
      guard let amount = try Amount(&reader) else { return .notADuration }
      _ = reader.text { $0 == space }
      let name = reader.text(while: \.isASCIILetter)
      if name.isEmpty {
        if used.isEmpty { return reader.atEnd ? .number(text) : .notADuration }
        guard reader.atEnd else { return .notADuration }
        let isHours = used == [3_600_000_000]
        throw Refusal(
          understood: "its last number has no unit",
          remedy: isHours
            ? "did you mean \(text.shortened)m, or a time such as 1:30?" : "write such as 1h30m"
        )
      }
      guard let unit = units.first(where: { $0.names.contains(name) })?.microseconds else {
        return .notADuration
      }
      guard used.insert(unit).inserted else {
        throw Refusal(understood: "it has the same unit twice", remedy: "write each unit once")
      }
      total = try total.adding(amount, times: unit)
      _ = reader.text { $0 == space }
    }
    return .duration(total)
  }

  /// ISO 8601, 5.5.2: weeks, days, hours, minutes, seconds; a month has no fixed length.
  private static func iso(_ reader: inout ByteReader) throws(Refusal) -> Int64 {
    let wrong = Refusal(
      understood: "it is no ISO 8601 duration of days, hours, minutes and seconds",
      remedy: "write such as PT1H30M"
    )
    var total: Int64 = 0
    var letters = "wd"[...]
    var isTime = false
    var isEmpty = true
    while !reader.atEnd {
      if !isTime, reader.take("t") != nil {
        isTime = true
        letters = "hms"
        isEmpty = true
        continue
      }
      guard let amount = try Amount(&reader), let byte = reader.take(where: \.isASCIILetter),
        let at = letters.firstIndex(of: Character(Unicode.Scalar(byte)))
      else { throw wrong }
      letters = letters[letters.index(after: at)...]
      let unit = units.first { $0.names.contains(String(UnicodeScalar(byte))) }
      total = try total.adding(amount, times: unit?.microseconds ?? 0)
      isEmpty = false
    }
    if isEmpty { throw wrong }
    return total
  }

  /// "1:30:00": hours, minutes, seconds.
  private static func clock(_ reader: inout ByteReader, _ text: String) throws(Refusal) -> Int64 {
    let wrong = Refusal(
      understood: "with colons a duration is hours:minutes:seconds",
      remedy: "write such as 1:30:00"
    )
    guard let first = reader.number(digits: 1...4), reader.take(":") != nil,
      let second = reader.number(digits: 2...2)
    else { throw wrong }
    if reader.atEnd {
      throw Refusal(
        understood: "it may be hours and minutes or minutes and seconds",
        remedy: "did you mean \(first)h\(second)m or \(first)m\(second)s?"
      )
    }
    guard reader.take(":") != nil, let third = reader.number(digits: 2...2), reader.atEnd,
      second <= 59, third <= 59
    else { throw wrong }
    return Int64(first * 3_600 + second * 60 + third) * 1_000_000
  }
}

/// A decimal number with up to six places.
private struct Amount {
  let whole: Int64
  let millionths: Int64

  init?(_ reader: inout ByteReader) throws(Refusal) {
    guard let whole = reader.number(digits: 1...18) else { return nil }
    self.whole = Int64(whole)
    var millionths: Int64 = 0
    if let mark = reader.take(".,") {
      guard mark == UInt8(ascii: "."), reader.peek?.isASCIIDigit == true else { return nil }
      var place: Int64 = 100_000
      while let digit = reader.take(where: \.isASCIIDigit) {
        millionths += Int64(digit - UInt8(ascii: "0")) * place
        place /= 10
      }
    }
    self.millionths = millionths
  }
}

extension Int64 {
  fileprivate func adding(_ amount: Amount, times unit: Int64) throws(Refusal) -> Int64 {
    let (whole, overflow) = amount.whole.multipliedReportingOverflow(by: unit)
    let fraction = amount.millionths.multipliedReportingOverflow(by: unit).partialValue / 1_000_000
    let total = overflow ? Int64.max : self.addingSaturating(whole.addingSaturating(fraction))
    guard total <= DurationText.longest else {
      throw Refusal(
        reason: .outOfRange,
        understood: "it is longer than a century",
        remedy: "write a shorter one"
      )
    }
    return total
  }
}

extension PosixRule {
  /// Reads a POSIX TZ string, such as "CET-1CEST,M3.5.0,M10.5.0/3" or "<+0545>-5:45".
  ///
  /// - Throws: `ZoneError` with `.badRule`, which says what was expected.
  init(_ text: String) throws(ZoneError) {
    guard text.utf8.count <= 256 else {
      throw ZoneError(zone: text, reason: .badRule("it is longer than 256 bytes"))
    }
    var parser = Parser(text: text, reader: ByteReader(text))
    self = try parser.rule()
  }

  private struct Parser {
    let text: String
    var reader: ByteReader

    mutating func rule() throws(ZoneError) -> PosixRule {
      let standardName = try name()
      let west = try offset()
      let standard = ZoneOffset(
        seconds: Int32(-west),
        isDaylight: false,
        abbreviation: standardName
      )
      if reader.atEnd { return PosixRule(standard: standard, daylight: nil) }

      let daylightName = try name()
      var daylightSeconds = Int(standard.seconds) + 3_600
      if let next = reader.peek, next != UInt8(ascii: ",") {
        daylightSeconds = -(try offset())
      }
      let offset = ZoneOffset(
        seconds: Int32(daylightSeconds),
        isDaylight: true,
        abbreviation: daylightName
      )
      // Without days the choice is the implementation's; all of them take those of New York.
      var start = Change(day: .monthWeekDay(month: 3, week: 2, day: 0), seconds: 7_200)
      var end = Change(day: .monthWeekDay(month: 11, week: 1, day: 0), seconds: 7_200)
      if !reader.atEnd {
        start = try change()
        end = try change()
      }
      guard reader.atEnd else { throw error("text follows the rule") }
      return PosixRule(
        standard: standard,
        daylight: Daylight(offset: offset, start: start, end: end)
      )
    }

    private func error(_ what: String) -> ZoneError {
      ZoneError(zone: text, reason: .badRule(what))
    }

    private mutating func name() throws(ZoneError) -> String {
      let quoted = reader.take("<") != nil
      let name = reader.text { byte in
        byte.isASCIILetter
          || quoted && (byte.isASCIIDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"))
      }
      if quoted, reader.take(">") == nil { throw error("a name lacks its \">\"") }
      guard (3...30).contains(name.utf8.count) else {
        throw error("a name has 3 to 30 letters")
      }
      return name
    }

    /// Seconds west of UTC, up to 25 hours, as POSIX signs them.
    private mutating func offset() throws(ZoneError) -> Int {
      let seconds = try time(hours: 24)
      guard abs(seconds) < 25 * 3_600 else { throw error("an offset is beyond 24 hours") }
      return seconds
    }

    private mutating func time(hours limit: Int) throws(ZoneError) -> Int {
      let sign = reader.take("+-")
      guard let hour = reader.number(digits: 1...3), hour <= limit else {
        throw error("an hour from 0 to \(limit) was expected")
      }
      var seconds = hour * 3_600
      for unit in [60, 1] {
        guard reader.take(":") != nil else { break }
        guard let part = reader.number(digits: 1...2), part <= 59 else {
          throw error("a minute or second from 0 to 59 was expected")
        }
        seconds += part * unit
      }
      return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    private mutating func change() throws(ZoneError) -> Change {
      guard reader.take(",") != nil else { throw error("a start and an end were expected") }
      let day = try day()
      let seconds = reader.take("/") == nil ? 7_200 : try time(hours: 167)
      return Change(day: day, seconds: seconds)
    }

    private mutating func day() throws(ZoneError) -> Day {
      if reader.take("J") != nil {
        guard let day = reader.number(digits: 1...3), (1...365).contains(day) else {
          throw error("J is followed by a day from 1 to 365")
        }
        return .julian(day)
      }
      if reader.take("M") != nil {
        guard let month = reader.number(digits: 1...2), (1...12).contains(month),
          reader.take(".") != nil,
          let week = reader.number(digits: 1...1), (1...5).contains(week),
          reader.take(".") != nil,
          let day = reader.number(digits: 1...1), day <= 6
        else { throw error("M is followed by month.week.day") }
        return .monthWeekDay(month: month, week: week, day: day)
      }
      guard let day = reader.number(digits: 1...3), day <= 365 else {
        throw error("a day of the year was expected")
      }
      return .zeroBased(day)
    }
  }
}

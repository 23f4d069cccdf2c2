/// A time of day as a person writes it.
enum ClockText {
  case notAClock
  case clock(TimeOfDay)
  /// "midnight", which is 00:00 of a day that the rest of the text has to say.
  case midnight
  case refused(Refusal)

  /// Reads "7:30", "07:30:15", "7am", "12:30pm", "noon" or "midnight".
  ///
  /// What begins like a clock and is none is refused with what was probably meant; all guesses
  /// stay with the person.
  ///
  /// - Parameters:
  ///   - word: one word, "am" and the like joined to it.
  ///   - isAlone: whether it is the whole text, so that a bare number may be minutes as well.
  init(_ word: some StringProtocol, isAlone: Bool = false) {
    let word = word.lowercased()
    if word == "midnight" {
      self = .midnight
      return
    }
    var reader = ByteReader(word == "noon" ? "12:00" : word)
    guard let hour = reader.number(digits: 1...9) else {
      self = .notAClock
      return
    }
    let hourDigits = reader.position
    if reader.atEnd {
      self = .refused(Self.bare(word, hour, digits: hourDigits, isAlone: isAlone))
      return
    }
    if let mark = reader.take(".hH"), let minute = reader.number(digits: 1...2), reader.atEnd {
      self = .refused(Self.mark(mark, hour, minute))
      return
    }
    var parts: [(value: Int, digits: Int)] = []
    while parts.count < 2, reader.take(":") != nil {
      let start = reader.position
      let value = reader.number(digits: 0...9) ?? 0
      parts.append((value, reader.position - start))
    }
    let half = reader.text { !$0.isASCIIDigit }
    let isAfternoon = ["pm", "p", "p.m."].contains(half)
    let isMorning = ["am", "a", "a.m."].contains(half)
    guard reader.atEnd, half.isEmpty || isAfternoon || isMorning else {
      self = .notAClock
      return
    }
    do throws(Refusal) {
      try Self.check(hour, parts)
      guard !half.isEmpty else {
        self = .clock(try Self.time(hour, parts))
        return
      }
      let hours12 = try Self.hours24(hour, parts, isAfternoon: isAfternoon)
      self = .clock(try Self.time(hours12, parts))
    } catch {
      self = .refused(error)
    }
  }

  private static func check(
    _ hour: Int,
    _ parts: [(value: Int, digits: Int)]
  ) throws(Refusal) {
    for part in parts where part.digits != 2 {
      let minutes = parts[0].value
      let isShort = parts.count == 1 && part.digits == 1
      throw Refusal(
        understood: "minutes and seconds have two digits",
        remedy: isShort && minutes <= 5
          ? "did you mean \(hour):0\(minutes) or \(hour):\(minutes)0?"
          : isShort ? "did you mean \(hour):0\(minutes)?" : "write such as 7:05"
      )
    }
    for part in parts where part.value > 59 {
      throw Refusal(
        understood: "minutes and seconds go up to 59",
        remedy: hour < 23 && part.value == 60 && parts.count == 1
          ? "did you mean \(hour + 1):00?" : "write such as 7:59"
      )
    }
  }

  private static func time(
    _ hour: Int,
    _ parts: [(value: Int, digits: Int)]
  ) throws(Refusal) -> TimeOfDay {
    let minute = parts.first?.value ?? 0
    let second = parts.count > 1 ? parts[1].value : 0
    if let time = TimeOfDay(hour: hour, minute: minute, second: second) { return time }
    throw Refusal(
      understood: "hours go from 0 to 23",
      remedy: hour == 24 && minute == 0
        ? "did you mean 0:00, which begins the next day?" : "write such as 7:30 or 19:30"
    )
  }

  /// 12am is 0, 12pm is 12, and there is no 0 or 13 on a clock of twelve hours.
  private static func hours24(
    _ hour: Int,
    _ parts: [(value: Int, digits: Int)],
    isAfternoon: Bool
  ) throws(Refusal) -> Int {
    guard (1...12).contains(hour) else {
      let minutes = parts.isEmpty ? "00" : padded(parts[0].value, 2)
      throw Refusal(
        understood: "with am and pm hours go from 1 to 12",
        remedy: hour == 0
          ? "did you mean 12:\(minutes)\(isAfternoon ? "pm" : "am") or 0:\(minutes)?"
          : hour <= 23 ? "did you mean \(hour):\(minutes)?" : "write such as 7am or 19:00"
      )
    }
    return hour % 12 + (isAfternoon ? 12 : 0)
  }

  /// Digits alone: "7" lacks its unit, "0730" its colon.
  private static func bare(
    _ word: String,
    _ number: Int,
    digits: Int,
    isAlone: Bool
  ) -> Refusal {
    if (3...4).contains(digits), let time = TimeOfDay(hour: number / 100, minute: number % 100) {
      return Refusal(
        understood: "a time has a colon",
        remedy: "did you mean \(time.hour):\(padded(time.minute, 2))?"
      )
    }
    let clock = digits <= 2 && number <= 23 ? "\(number):00" : nil
    let span = isAlone ? "\(word.shortened)m" : nil
    let guesses = [span, clock].compactMap { $0 }.joined(separator: " or ")
    return Refusal(
      understood: "\(word.shortened) is a number without a unit",
      remedy: guesses.isEmpty ? "write a time such as 7:30" : "did you mean \(guesses)?"
    )
  }

  private static func mark(_ mark: UInt8, _ hour: Int, _ minute: Int) -> Refusal {
    let clock = TimeOfDay(hour: hour, minute: minute).map { "\($0.hour):\(padded($0.minute, 2))" }
    let span = "\(hour)h\(minute)m"
    return Refusal(
      understood: mark == UInt8(ascii: ".") ? "a time has a colon" : "the minutes have no unit",
      remedy: clock.map { "did you mean \($0) or \(span)?" } ?? "did you mean \(span)?"
    )
  }
}

/// What the words of a text say one by one, before they are put together.
struct TimeWords {
  enum RelativeDay {
    case today, tonight, tomorrow
  }

  enum Week {
    case this, next
  }

  enum Date {
    case full(CivilDate)
    /// A month and a day whose year is the next in which they come.
    case yearless(month: Int, day: Int)
  }

  /// The clocks in the order said, each once.
  private(set) var clocks: [TimeOfDay] = []
  private(set) var isMidnight = false
  private(set) var weekdays: WeekdaySet = []
  /// Whether the weekdays came as a plural, a list, a range or with "every".
  private(set) var repeats = false
  private(set) var relativeDay: RelativeDay?
  private(set) var week: Week?
  private(set) var date: Date?
  private(set) var zone: Zone?

  private var isEvery = false
  /// Where the last day of the week stands.
  private var lastDay: Int?
  private var words: [(said: Substring, lower: String)] = []
  private var index = 0

  init(_ text: Substring, _ zones: (String) throws(ZoneError) -> Zone) throws(Refusal) {
    words = Self.split(text)
    while index < words.count {
      let (said, word) = words[index]
      index += 1
      if try takeClock(word) { continue }
      if try takeDay(word) { continue }
      if try takeDate(word) { continue }
      try takeZone(said, word, zones)
    }
    if isEvery {
      guard !weekdays.isEmpty else {
        throw Refusal(
          understood: "\"every\" needs days of the week",
          remedy: "write such as \"every day 7:00\", or *-*-01 for dates"
        )
      }
      repeats = true
    }
  }

  /// Words between blanks and commas, "am" and "pm" joined to the clock before them, and an
  /// RFC 3339 date and time without offset taken apart.
  private static func split(_ text: Substring) -> [(said: Substring, lower: String)] {
    var words: [(said: Substring, lower: String)] = []
    for said in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }) {
      let lower = said.lowercased()
      let isHalf = ["am", "pm", "a.m.", "p.m."].contains(lower)
      if isHalf, let last = words.last, last.lower.utf8.last?.isASCIIDigit == true {
        words[words.count - 1].lower = last.lower + lower
        continue
      }
      let parts = said.split(separator: said.contains("T") ? "T" : "t")
      if parts.count == 2, CivilDate(String(parts[0])) != nil {
        words += parts.map { ($0, $0.lowercased()) }
      } else {
        words.append((said, lower))
      }
    }
    return words
  }

  private mutating func takeClock(_ word: String) throws(Refusal) -> Bool {
    // A number before or after a month is a day of it.
    if MonthName.day(word) != nil, index < words.count, MonthName.number(words[index].lower) != nil
    {
      return false
    }
    // Dates have their own reader; a duration has no place beside other words.
    if word.utf8.first?.isASCIIDigit == true {
      if word.contains("-") || word.contains("/") { return false }
      if case .duration = DurationText(word, clocks: false) {
        throw Refusal(
          understood: "\(word.shortened) is a span, and other words say when",
          remedy: "write either \"\(word.shortened)\" or a time such as 7:30"
        )
      }
    }
    switch ClockText(word, isAlone: words.count == 1) {
    case .notAClock: return false
    case .refused(let refusal): throw refusal
    case .midnight: isMidnight = true
    case .clock(let time):
      if !clocks.contains(time) { clocks.append(time) }
    }
    return true
  }

  private mutating func takeDay(_ word: String) throws(Refusal) -> Bool {
    switch word {
    case "at", "on", "and": return true
    case "every": isEvery = true
    case "day" where isEvery: try setRepeating(.everyDay)
    case "today": try set(.today)
    case "tonight": try set(.tonight)
    case "tomorrow": try set(.tomorrow)
    case "this": try set(Week.this)
    case "next": try set(Week.next)
    default:
      if let day = Weekday(word: word) {
        if !weekdays.isEmpty { repeats = true }
        try add(WeekdaySet(day))
      } else if let days = WeekdaySet(word: word) {
        try setRepeating(days)
      } else {
        return false
      }
    }
    return true
  }

  private mutating func setRepeating(_ days: WeekdaySet) throws(Refusal) {
    try add(days)
    repeats = true
  }

  /// Days stand together: a second place is a title, or one of two that were meant.
  private mutating func add(_ days: WeekdaySet) throws(Refusal) {
    if let lastDay, words[(lastDay + 1)..<(index - 1)].contains(where: { $0.lower != "and" }) {
      throw Refusal(
        understood: "it says days in two places",
        remedy: "write them together, such as \"mon,wed 7:00\""
      )
    }
    lastDay = index - 1
    weekdays.formUnion(days)
  }

  private mutating func set(_ day: RelativeDay) throws(Refusal) {
    guard relativeDay == nil else { throw Self.twoDays }
    relativeDay = day
  }

  private mutating func set(_ week: Week) throws(Refusal) {
    guard self.week == nil else { throw Self.twoDays }
    self.week = week
  }

  static let twoDays = Refusal(
    understood: "it says two different days",
    remedy: "write one, such as \"fri 18:00\""
  )

  /// "2027-06-02", "06-02", "2 June", "June 2", the last two with a year behind them or not.
  private mutating func takeDate(_ word: String) throws(Refusal) -> Bool {
    let found: Date
    if word.contains("/"), word.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: "/") }) {
      throw Refusal(
        understood: "\(word.shortened) is one day to some people and another to others",
        remedy: "write such as 06-02 or \"2 June\""
      )
    }
    if word.utf8.first?.isASCIIDigit == true, word.contains("-") {
      found = try Self.numeric(word)
    } else if let month = MonthName.number(word) {
      guard index < words.count, let day = MonthName.day(words[index].lower) else {
        throw Refusal(understood: "a month needs its day", remedy: "write such as \"2 June 7:00\"")
      }
      index += 1
      found = try named(month, day)
    } else if let day = MonthName.day(word), index < words.count,
      let month = MonthName.number(words[index].lower)
    {
      index += 1
      found = try named(month, day)
    } else {
      return false
    }
    guard date == nil else { throw Self.twoDays }
    date = found
    return true
  }

  private static func numeric(_ word: String) throws(Refusal) -> Date {
    if let date = CivilDate(word) { return .full(date) }
    var reader = ByteReader(word)
    if let month = reader.number(digits: 1...2), reader.take("-") != nil,
      let day = reader.number(digits: 1...2), reader.atEnd
    {
      // 2028 has a 29 February.
      if CivilDate(year: 2028, month: month, day: day) != nil {
        return .yearless(month: month, day: day)
      }
      throw Refusal(understood: "there is no month-day \(word)", remedy: "write such as 06-02")
    }
    throw Refusal(
      understood: "there is no date \(word.shortened)",
      remedy: "write such as 2027-06-02"
    )
  }

  private mutating func named(_ month: Int, _ day: Int) throws(Refusal) -> Date {
    var reader = ByteReader(index < words.count ? words[index].lower : "")
    if let year = reader.number(digits: 4...4), reader.atEnd, year >= 1_970 {
      index += 1
      if let date = CivilDate(year: year, month: month, day: day) { return .full(date) }
    } else if CivilDate(year: 2028, month: month, day: day) != nil {
      return .yearless(month: month, day: day)
    }
    throw Refusal(
      understood: "\(MonthName.all[month - 1]) has no day \(day)",
      remedy: "write such as \"2 June\""
    )
  }

  private mutating func takeZone(
    _ said: Substring,
    _ word: String,
    _ zones: (String) throws(ZoneError) -> Zone
  ) throws(Refusal) {
    if zone != nil {
      throw Refusal(
        understood: "\"\(said.shortened)\" follows a zone",
        remedy: "write one zone at the end"
      )
    }
    zone = try Self.zone(said, word, zones)
  }
}

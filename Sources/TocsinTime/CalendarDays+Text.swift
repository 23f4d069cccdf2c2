extension CalendarDays: LosslessStringConvertible {
  /// The expression in systemd's normal form, such as "Mon..Fri 2027-*-01..07".
  public var description: String {
    let years = years.map { range in
      range.first == range.last ? "\(range.first)" : "\(range.first)..\(range.last)"
    }
    let year = years.isEmpty ? "*" : years.joined(separator: ",")
    let month = months == Self.everyMonth ? "*" : Self.list(UInt32(months), upTo: 12)
    let day = days == Self.everyDay ? "*" : Self.list(days, upTo: 31)
    let date = "\(year)-\(month)\(fromEnd ? "~" : "-")\(day)"
    return weekdays == .everyDay ? date : "\(weekdays.calendarList) \(date)"
  }

  /// Reads an expression of one or two words: weekdays, a date, or both in this order.
  ///
  /// Nil for what `systemd-analyze calendar` refuses, such as a backward range or day 32.
  public init?(_ description: String) {
    let words = description.split(separator: " ")
    guard (1...2).contains(words.count), description.utf8.count <= 200 else { return nil }
    guard words.count == 2 || words[0].utf8.first?.isASCIILetter == false else {
      guard let weekdays = WeekdaySet(calendarList: words[0]) else { return nil }
      self.init(weekdays: weekdays)
      return
    }
    var weekdays = WeekdaySet.everyDay
    if words.count == 2 {
      guard let named = WeekdaySet(calendarList: words[0]) else { return nil }
      weekdays = named
    }
    guard let date = words.last else { return nil }
    self.init(date: date, weekdays: weekdays)
  }

  /// Reads `year-month-day`, `month-day`, or with `~` before a day that counts from the end.
  private init?(date: Substring, weekdays: WeekdaySet) {
    let isFromEnd = date.contains("~")
    let parts = date.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "~" }
    guard (2...3).contains(parts.count) else { return nil }
    if isFromEnd {
      let separators = date.filter { $0 == "-" || $0 == "~" }
      guard separators.last == "~", separators.filter({ $0 == "~" }).count == 1 else { return nil }
    }
    var years: [YearRange] = []
    if parts.count == 3, parts[0] != "*" {
      guard let named = Self.steps(parts[0], in: Self.years, backward: false) else { return nil }
      years = Self.ranges(named)
    }
    var months = Self.everyMonth
    let month = parts[parts.count - 2]
    if month != "*" {
      guard let named = Self.steps(month, in: 1...12, backward: false) else { return nil }
      months = named.reduce(0) { $0 | 1 << UInt16($1) }
    }
    var days = Self.everyDay
    let day = parts[parts.count - 1]
    if day != "*" {
      // Every month has 28 days to count from its end; systemd refuses more.
      let range = isFromEnd ? 1...28 : 1...31
      guard let named = Self.steps(day, in: range, backward: isFromEnd) else { return nil }
      days = named.reduce(0) { $0 | 1 << UInt32($1) }
    }
    self.init(years: years, months: months, days: days, fromEnd: isFromEnd, weekdays: weekdays)
  }

  /// The numbers that a list of `a`, `a..b`, `a/step` and `a..b/step` names.
  ///
  /// Where days count from the end of the month (`backward`) a step without an end goes down to
  /// the last day of the month, which is 1.
  private static func steps(
    _ list: Substring,
    in range: ClosedRange<Int>,
    backward: Bool
  ) -> [Int]? {
    var named: [Int] = []
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      var reader = ByteReader(item)
      guard let first = value(&reader, in: range) else { return nil }
      var last = first
      let isRange = reader.take(".") != nil
      if isRange {
        guard reader.take(".") != nil, let end = value(&reader, in: range), end >= first else {
          return nil
        }
        last = end
      }
      var step = 1
      if reader.take("/") != nil {
        guard let every = reader.number(digits: 1...4), every >= 1 else { return nil }
        step = every
        if !isRange {
          // A step that never gets anywhere is a slip.
          last = backward ? range.lowerBound : range.upperBound
          guard backward ? first - step >= last : first + step <= last else { return nil }
        }
      }
      guard reader.atEnd else { return nil }
      let isDown = backward && last < first
      named += Array(stride(from: first, through: last, by: isDown ? -step : step))
    }
    return named
  }

  private static func value(_ reader: inout ByteReader, in range: ClosedRange<Int>) -> Int? {
    guard var value = reader.number(digits: 1...4) else { return nil }
    // Two digits of a year mean 1970...2069, as systemd reads them.
    if range.lowerBound > 100, value < 100 { value += value < 70 ? 2_000 : 1_900 }
    return range.contains(value) ? value : nil
  }

  private static func ranges(_ years: [Int]) -> [YearRange] {
    var ranges: [YearRange] = []
    for year in Set(years).sorted() {
      if let last = ranges.last, Int(last.last) + 1 == year {
        ranges[ranges.count - 1].last = UInt16(year)
      } else {
        ranges.append(YearRange(first: UInt16(year), last: UInt16(year)))
      }
    }
    return ranges
  }

  /// The set bits as numbers of two digits, three or more in a row as a range.
  private static func list(_ bits: UInt32, upTo last: Int) -> String {
    var items: [String] = []
    var number = 1
    while number <= last {
      guard bits & (1 << UInt32(number)) != 0 else {
        number += 1
        continue
      }
      var end = number
      while end < last, bits & (1 << UInt32(end + 1)) != 0 { end += 1 }
      if end - number >= 2 {
        items.append("\(padded(number, 2))..\(padded(end, 2))")
      } else {
        items += (number...end).map { padded($0, 2) }
      }
      number = end + 1
    }
    return items.joined(separator: ",")
  }
}

extension WeekdaySet {
  /// The days as systemd prints them: "Mon..Fri", "Mon,Wed,Fri", "Sat,Sun".
  var calendarList: String {
    var items: [String] = []
    var rest = days[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix {
        $0.element.rawValue == first.rawValue + UInt8($0.offset)
      }
      let days = run.map(\.element)
      if days.count >= 3, let last = days.last {
        items.append("\(first.title)..\(last.title)")
      } else {
        items += days.map(\.title)
      }
      rest = rest.dropFirst(days.count)
    }
    return items.joined(separator: ",")
  }

  /// Reads names of three letters or whole ones in any case, `,` between and `..` for ranges.
  init?(calendarList list: some StringProtocol) {
    var set: WeekdaySet = []
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      if let day = Weekday(word: item.lowercased()) {
        set.insert(WeekdaySet(day))
        continue
      }
      var reader = ByteReader(item.lowercased())
      guard let first = Weekday(word: reader.text(while: \.isASCIILetter)),
        reader.take(".") != nil, reader.take(".") != nil,
        let last = Weekday(word: reader.text(while: \.isASCIILetter)), reader.atEnd,
        first.rawValue <= last.rawValue
      else { return nil }
      set.formUnion(WeekdaySet(from: first, to: last))
    }
    self = set
  }

  /// The days from one to another, over Sunday if need be.
  init(from first: Weekday, to last: Weekday) {
    var set = WeekdaySet(first)
    var day = first
    while day != last {
      day = Weekday(rawValue: (day.rawValue + 1) % 7) ?? last
      set.insert(WeekdaySet(day))
    }
    self = set
  }
}

extension Weekday {
  /// The day with this name of three letters or in full; the word is in lower case.
  init?(word: String) {
    guard
      let day = Self.allCases.first(where: { $0.name == word || $0.fullName.lowercased() == word })
    else { return nil }
    self = day
  }
}

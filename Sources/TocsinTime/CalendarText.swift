/// A systemd calendar expression with one clock, or a list of them: "Mon *-*-1..7 06:00".
struct CalendarText {
  private var days: CalendarDays
  private var clocks: [TimeOfDay] = []
  private var zone: Zone?

  /// The words that systemd has for whole expressions; more often than daily is no alarm.
  private static let shorthands = [
    "daily": "*-*-*", "weekly": "Mon *-*-*", "monthly": "*-*-01", "quarterly": "*-1/3-01",
    "semiannually": "*-1/6-01", "yearly": "*-01-01", "annually": "*-01-01",
  ]

  /// Reads the text if it is a calendar expression.
  ///
  /// - Returns: nil if the text neither begins with "oncalendar:" nor has a word with `*`, `~`,
  ///   or a list, range or step within a date.
  init?(
    _ text: Substring,
    _ zones: (String) throws(ZoneError) -> Zone
  ) throws(Refusal) {
    let prefix = "oncalendar:"
    let isMarked = text.lowercased().hasPrefix(prefix)
    let words = (isMarked ? text.dropFirst(prefix.count) : text).split { $0 == " " || $0 == "\t" }
    guard isMarked || words.contains(where: Self.isExpression) else { return nil }
    if words.isEmpty {
      throw Refusal(
        understood: "nothing follows the colon",
        remedy: "write such as oncalendar:Mon *-*-* 06:00"
      )
    }
    var weekdays: Substring?
    var date: Substring?
    for word in words {
      if let shorthand = Self.shorthands[word.lowercased()], isMarked, words.count <= 2 {
        let parts = shorthand.split(separator: " ")
        date = parts.last
        weekdays = parts.count > 1 ? parts[0] : nil
        clocks = [.midnight]
      } else if WeekdaySet(calendarList: word) != nil, weekdays == nil {
        weekdays = word
      } else if clocks.isEmpty, word.contains(":") || Self.isClock(word) {
        clocks = try Self.clocks(word)
      } else if Self.isDate(word), date == nil {
        date = word
      } else if zone == nil, word.utf8.first?.isASCIILetter == true {
        do throws(Refusal) {
          zone = try TimeWords.zone(word, word.lowercased(), zones)
        } catch {
          throw error.reason == .zone ? error : Self.misplaced(word)
        }
      } else {
        throw Self.misplaced(word)
      }
    }
    guard let days = CalendarDays("\(weekdays.map { "\($0) " } ?? "")\(date ?? "*-*-*")") else {
      throw Refusal(
        understood: "\(date?.shortened ?? "it") is no date that systemd.time(7) knows",
        remedy: "write such as *-*-01 or Mon *-*-1..7"
      )
    }
    self.days = days
    guard clocks.isEmpty else { return }
    guard isMarked else {
      throw Refusal(understood: "it says no time of day", remedy: "add one, such as 06:00")
    }
    clocks = [.midnight]
  }

  /// One schedule for each clock.
  ///
  /// - Throws: a refusal if no date of the expression is to come.
  func schedules(now: Instant, zone local: Zone) throws(Refusal) -> [Schedule] {
    let zone = self.zone ?? local
    var schedules: [Schedule] = []
    for clock in clocks {
      let schedule = WallSchedule(time: clock, days: days.simplest, zone: self.zone?.name)
      if case .on(let date) = schedule.days {
        try TimeWords.check(date, clock, now: now, zone: zone)
      } else if schedule.next(after: now, in: zone) == nil {
        throw Refusal(
          reason: .past,
          understood: "no date of \(days) is to come before 2200",
          remedy: "write dates that exist and are not over"
        )
      }
      schedules.append(.wall(schedule))
    }
    return schedules
  }

  private static func misplaced(_ word: Substring) -> Refusal {
    if ["hourly", "minutely"].contains(word.lowercased()) {
      return Refusal(
        understood: "\(word) is more than one time of day",
        remedy: "write the times it should ring"
      )
    }
    return Refusal(
      understood: "\"\(word.shortened)\" has no place in a calendar expression",
      remedy: "write such as \"Mon *-*-1..7 06:00\""
    )
  }

  private static func isExpression(_ word: Substring) -> Bool {
    if word.contains("*") || word.contains("~") { return true }
    return word.utf8.first?.isASCIIDigit == true && word.contains("-")
      && (word.contains("..") || word.contains("/") || word.contains(","))
  }

  private static func isDate(_ word: Substring) -> Bool {
    word.utf8.first.map { $0.isASCIIDigit || $0 == UInt8(ascii: "*") } == true
      && (word.contains("-") || word.contains("~"))
  }

  private static func isClock(_ word: Substring) -> Bool {
    if case .clock = ClockText(word) { true } else { false }
  }

  private static func clocks(_ list: Substring) throws(Refusal) -> [TimeOfDay] {
    var clocks: [TimeOfDay] = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      switch ClockText(word) {
      case .clock(let time):
        if !clocks.contains(time) { clocks.append(time) }
      case .refused(let refusal): throw refusal
      case .notAClock, .midnight:
        throw Refusal(
          understood: "\(word.shortened) is not one time of day",
          remedy: "write such as 06:00"
        )
      }
    }
    return clocks
  }
}

extension CalendarDays {
  /// The plainest days that name the same dates.
  var simplest: WallSchedule.Days {
    if years.isEmpty, months == Self.everyMonth, days == Self.everyDay { return .weekly(weekdays) }
    if let year = years.first, years.count == 1, year.first == year.last,
      months.nonzeroBitCount == 1, days.nonzeroBitCount == 1, !fromEnd, weekdays == .everyDay,
      let date = CivilDate(
        year: Int(year.first),
        month: months.trailingZeroBitCount,
        day: days.trailingZeroBitCount
      )
    {
      return .on(date)
    }
    return .calendar(self)
  }
}

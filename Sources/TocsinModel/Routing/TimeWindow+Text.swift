import TocsinTime

extension TimeWindow {
  /// Reads `22:00-07:00` or `weekdays 8:00-17:30`; several days stand with `+` or spaces between.
  package init(_ text: String) throws(ValueText.Unreadable) {
    let words = try ValueText.pieces(text)
    guard let first = words.firstIndex(where: { Self.beginsClock($0.text) }) else {
      throw ValueText.Unreadable(
        message: "\(text) has no times, write such as weekdays 8:00-17:30, or mon 0:00-24:00"
      )
    }
    var days: WeekdaySet = []
    for word in words[..<first] { days.formUnion(try Self.days(word)) }
    // White space may stand around the dash and before am and pm.
    let clocks = words[first...].map(\.text).joined()
    let ends = clocks.split(separator: "-", omittingEmptySubsequences: false)
    let place = words[first].offset
    guard ends.count == 2 else {
      throw ValueText.Unreadable(
        message: "\(clocks) is no part of a day, write such as mon-fri 8:00-17:30",
        offset: place
      )
    }
    self.init(
      days: first == words.startIndex ? .everyDay : days,
      start: try Self.second(ends[0], at: place),
      end: ["24:00", "midnight"].contains(ends[1].lowercased())
        ? 86_400 : try Self.second(ends[1], at: place)
    )
  }

  private static func beginsClock(_ word: String) -> Bool {
    let word = word.lowercased()
    return word.first?.isNumber == true || word.hasPrefix("noon") || word.hasPrefix("midnight")
      || word.hasPrefix("-")
  }

  private static func days(_ word: ValueText.Piece) throws(ValueText.Unreadable) -> WeekdaySet {
    var days: WeekdaySet = []
    for name in word.text.split(separator: "+", omittingEmptySubsequences: false) {
      guard let some = WeekdaySet(word: name.lowercased()) else {
        let known = WeekdaySet.words + Weekday.allCases.map(\.name)
        let near = NearestWord.of(String(name), in: known).map { ", did you mean \($0)?" }
        throw ValueText.Unreadable(
          message: "\(name) is no day\(near ?? ", write such as weekdays, sat+sun or mon-fri")",
          offset: word.offset
        )
      }
      days.formUnion(some)
    }
    return days
  }

  private static func second(
    _ text: Substring,
    at offset: Int
  ) throws(ValueText.Unreadable) -> Int {
    do {
      if let time = try TimeText.clock(String(text)) { return time.secondOfDay }
    } catch {
      throw ValueText.Unreadable(
        message: "\(error.understood), \(error.remedy)",
        offset: offset
      )
    }
    throw ValueText.Unreadable(
      message: "\(text.isEmpty ? "nothing" : text) is no time, write such as 22:00-07:00",
      offset: offset
    )
  }
}

extension TimeWindow: CustomStringConvertible {
  /// As plugins.conf writes it.
  package var description: String {
    let clocks = "\(Self.clock(start))-\(Self.clock(end))"
    if days == .everyDay { return clocks }
    if days == .weekdays { return "weekdays \(clocks)" }
    if days == .weekends { return "weekends \(clocks)" }
    return "\(days.days.map(\.name).joined(separator: "+")) \(clocks)"
  }

  private static func clock(_ second: Int) -> String {
    second == 86_400 ? "24:00" : "\(TimeOfDay(secondOfDay: second))"
  }
}

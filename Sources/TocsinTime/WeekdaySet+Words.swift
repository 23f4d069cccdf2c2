extension WeekdaySet {
  /// The words for several days at once.
  package static let words = ["daily", "weekdays", "weekends"]

  /// The days that one word says, in lower case: "weekdays", "mon", "mondays", "mon-fri".
  package init?(word: String) {
    switch word {
    case "daily": self = .everyDay
    case "weekdays", "weekday": self = .weekdays
    case "weekends", "weekend": self = .weekends
    default:
      if let day = Weekday(word: word) {
        self.init(day)
      } else if word.hasSuffix("s"), let day = Weekday(word: String(word.dropLast())) {
        self.init(day)
      } else {
        self.init(range: word)
      }
    }
  }

  /// "mon-fri" or "mon..fri"; "fri-mon" goes over Sunday.
  private init?(range word: String) {
    let parts = word.split(whereSeparator: { $0 == "-" || $0 == "." })
    guard parts.count == 2, let first = Weekday(word: String(parts[0])),
      let last = Weekday(word: String(parts[1])),
      word == "\(parts[0])-\(parts[1])" || word == "\(parts[0])..\(parts[1])"
    else { return nil }
    self.init(from: first, to: last)
  }
}

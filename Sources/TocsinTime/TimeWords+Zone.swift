extension TimeWords {
  /// The words that a misspelt one is compared with.
  private static let known =
    ["today", "tonight", "tomorrow", "every", "daily", "weekdays", "weekends", "noon", "midnight"]
    + Weekday.allCases.map { $0.fullName.lowercased() } + MonthName.all.map { $0.lowercased() }

  /// The zone that a word names, if it is none of the other words.
  ///
  /// - Throws: a refusal that tells an unknown zone from a word that was never one.
  static func zone(
    _ said: Substring,
    _ word: String,
    _ zones: (String) throws(ZoneError) -> Zone
  ) throws(Refusal) -> Zone {
    if ["utc", "z", "gmt"].contains(word) { return .utc }
    let failure: ZoneError
    do throws(ZoneError) {
      return try zones(String(said))
    } catch {
      failure = error
    }
    if said.contains("/"), said.utf8.contains(where: \.isASCIILetter) {
      return try refuse(failure)
    }
    if let nearest = NearestWord.of(word, in: known) {
      throw Refusal(
        understood: "\"\(said.shortened)\" is no day, time or zone",
        remedy: "did you mean \(nearest)?"
      )
    }
    if case .unknown(let zone?) = failure.reason, word.utf8.count > 3 {
      throw Refusal(
        reason: .zone,
        understood: "\"\(said.shortened)\" is no day, time or zone",
        remedy: "did you mean \(zone)?"
      )
    }
    throw Refusal(
      understood: "\"\(said.shortened)\" is no day, time or zone",
      remedy: "write such as \"fri 18:00\" or \"weekdays 7:30\""
    )
  }

  private static func refuse(_ error: ZoneError) throws(Refusal) -> Zone {
    let name = error.zone.shortened
    let (understood, remedy) =
      switch error.reason {
      case .unknown(let nearest?): ("there is no time zone \(name)", "did you mean \(nearest)?")
      case .unknown(nil): ("there is no time zone \(name)", "write one such as Europe/Berlin")
      case .badName: ("\"\(name)\" cannot name a time zone", "write one such as Europe/Berlin")
      case .noDatabase: ("there is no time zone database", "install the package tzdata")
      case .notInstalled(let package):
        ("time zone \(name) is not installed", "install the package \(package)")
      case .malformed, .countsLeapSeconds, .badRule:
        (error.description, "write another zone")
      }
    throw Refusal(reason: .zone, understood: understood, remedy: remedy)
  }
}

extension MonthName {
  /// The day of a month that a word says: "2", "02" or "2nd"; nil unless 1...31.
  static func day(_ word: String) -> Int? {
    var reader = ByteReader(word)
    guard let day = reader.number(digits: 1...2), (1...31).contains(day) else { return nil }
    let suffix = reader.text(while: \.isASCIILetter)
    guard reader.atEnd, ["", "st", "nd", "rd", "th"].contains(suffix) else { return nil }
    return day
  }
}

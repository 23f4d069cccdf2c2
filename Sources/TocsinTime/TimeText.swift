/// What a time text says.
public enum TimeMeaning: Hashable, Sendable {
  /// So long from now, elapsed time.
  case span(Duration)
  /// On the clock; several clocks in one text make several schedules, never none.
  case schedules([Schedule])

  /// The meaning in words, such as "in 10 min" or "every weekday 06:00", to echo to the person.
  public var understood: String {
    switch self {
    case .span(let duration): "in \(duration.text(units: 9))"
    case .schedules(let schedules): schedules.map(\.text).joined(separator: ", ")
    }
  }
}

/// Reads what people write for a time: "7:30", "weekdays 6:00", "in 10m".
///
/// The whole grammar, with what is refused and why, is in docs/time.md. It is English and the same
/// under every locale, as a text in a script has to mean the same on every machine.
public enum TimeText {
  /// Longer texts are refused; no time needs them.
  public static let longestText = 200

  /// Reads a span, an instant or a repeating time.
  ///
  /// - Parameters:
  ///   - text: 1...200 bytes; words in any order where that is unambiguous, any case.
  ///   - now: what "tomorrow" and "past" are measured from.
  ///   - zone: whose clocks count where the text names no zone.
  ///   - zones: finds a zone by the name in the text.
  /// - Returns: what the text says; a zone named in it is in the schedules, `zone` is not.
  /// - Throws: `TimeTextError`, whose description says what to write instead.
  public static func parse(
    _ text: String,
    now: Instant,
    zone: Zone,
    zones: (String) throws(ZoneError) -> Zone
  ) throws(TimeTextError) -> TimeMeaning {
    do throws(Refusal) {
      let trimmed = try trim(text)
      if let span = try span(trimmed) { return .span(.microseconds(span)) }
      if let instant = try instant(trimmed) {
        guard instant >= now else { throw Refusal.past("\(instant)", now: now, instant: instant) }
        return .schedules([.fixed(instant)])
      }
      if let calendar = try CalendarText(trimmed, zones) {
        return .schedules(try calendar.schedules(now: now, zone: zone))
      }
      let words = try TimeWords(trimmed, zones)
      return .schedules(try words.schedules(now: now, zone: zone))
    } catch {
      throw error.about(text)
    }
  }

  /// Reads a duration: "9m", "1h5m30s", "1.5h", "2 min", "250ms", "PT1H30M", "1:30:00".
  ///
  /// - Parameters:
  ///   - text: 1...200 bytes. A number needs its unit.
  ///   - allowingZero: whether zero is a duration, as for a setting that can be off.
  /// - Returns: whole microseconds, at most 36,525 days; never negative.
  /// - Throws: `TimeTextError`, whose description says what to write instead.
  public static func duration(
    _ text: String,
    allowingZero: Bool = false
  ) throws(TimeTextError) -> Duration {
    do throws(Refusal) {
      let reading = DurationText(try trim(text), clocks: true)
      return .microseconds(try reading.required(allowingZero: allowingZero, alternative: "s"))
    } catch {
      throw error.about(text)
    }
  }

  /// Reads a clock alone: "7:30", "07:30:15", "7am", "noon", "midnight".
  ///
  /// - Returns: nil for what does not begin like a clock.
  /// - Throws: `TimeTextError` for what begins like one and is none.
  package static func clock(_ word: String) throws(TimeTextError) -> TimeOfDay? {
    switch ClockText(word) {
    case .notAClock: return nil
    case .clock(let time): return time
    case .midnight: return .midnight
    case .refused(let refusal): throw refusal.about(word)
    }
  }

  private static func trim(_ text: String) throws(Refusal) -> Substring {
    guard text.utf8.count <= longestText else {
      throw Refusal(
        understood: "it is longer than \(longestText) bytes",
        remedy: "write a time such as \"weekdays 7:30\""
      )
    }
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let front = text.drop(while: blank)
    let end = front.lastIndex { !blank($0) }
    guard let end else {
      throw Refusal(
        understood: "there is nothing in it",
        remedy: "write a time such as 7:30 or 10m"
      )
    }
    return front[...end]
  }

  /// "in 10m", "+10m", or a duration alone; nil for all else.
  private static func span(_ text: Substring) throws(Refusal) -> Int64? {
    let lower = text.lowercased()
    for prefix in ["in ", "+"] where lower.hasPrefix(prefix) {
      let rest = text.dropFirst(prefix.count).drop { $0 == " " }
      return try DurationText(rest, clocks: true).required(allowingZero: false, alternative: ":00")
    }
    let reading = DurationText(text, clocks: false)
    switch reading {
    case .notADuration, .number: return nil
    case .duration, .refused: break
    }
    return try reading.required(allowingZero: false, alternative: ":00")
  }

  /// RFC 3339 with its offset, or "@" and seconds since 1970; nil for all else.
  private static func instant(_ text: Substring) throws(Refusal) -> Instant? {
    if let instant = Instant(rfc3339: text) { return instant }
    // ISO 8601 lets the seconds be left out, and people do.
    let start = Substring(text.utf8.prefix(16))
    let rest = Substring(text.utf8.dropFirst(16))
    if let instant = Instant(rfc3339: "\(start):00\(rest)") { return instant }
    guard text.hasPrefix("@") else { return nil }
    var reader = ByteReader(text.dropFirst())
    guard let seconds = reader.number(digits: 1...12), reader.atEnd else {
      throw Refusal(
        understood: "after @ come whole seconds since 1970",
        remedy: "write such as @1800000000"
      )
    }
    return Instant(seconds: Int64(seconds))
  }
}

extension Refusal {
  static func past(_ what: String, now: Instant, instant: Instant, remedy: String? = nil) -> Refusal
  {
    let ago: Duration = now - instant
    return Refusal(
      reason: .past,
      understood: "\(what) was \(ago.text()) ago",
      remedy: remedy ?? "write a time to come"
    )
  }
}

import TocsinTime

/// Times and durations in words for a person; English, 24 hours, no locale.
enum Wording {
  /// A length such as "8 h 12 min", "3 d 4 h" or "45 s": the two largest units, rounded down.
  static func length(_ seconds: Double) -> String {
    // The wire carries milliseconds: what is less than one short of a whole second is that second.
    let up = seconds >= 1 ? seconds + 0.001 : seconds
    return Duration(seconds: up)?.text() ?? "for ever"
  }

  /// A countdown as a clock shows it: "4:10", "1:04:10", "2 d 1:04:10".
  static func clock(_ seconds: Double) -> String {
    let whole = Int64(max(0, min(seconds, 1e15)).rounded(.up))
    let minutes = whole / 60 % 60
    let rest = two(whole % 60)
    let hours = whole / 3_600 % 24
    let days = whole / 86_400
    if days > 0 { return "\(days) d \(hours):\(two(minutes)):\(rest)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  /// A date such as "Tue 1 Dec", with the year if it is not that of `now`.
  static func date(_ date: CivilDate, now: CivilDate) -> String {
    date.text(withYear: date.year != now.year)
  }

  /// A moment such as "Tue 1 Dec 07:30", with seconds if there are any.
  static func moment(_ instant: Instant, in zone: Zone, now: Instant) -> String {
    // To the second: milliseconds are for machines.
    instant.text(in: zone, now: now)
  }

  /// A time of day such as "07:00", with the date before it if that is not today.
  static func time(_ instant: Instant, in zone: Zone, now: Instant) -> String {
    let local = zone.local(at: instant)
    return local.date == zone.date(at: now) ? "\(local.time)" : moment(instant, in: zone, now: now)
  }

  /// A time of day with its seconds such as "07:09:05".
  static func exactTime(_ instant: Instant, in zone: Zone) -> String {
    let time = zone.local(at: instant).time
    return "\(two(Int64(time.hour))):\(two(Int64(time.minute))):\(two(Int64(time.second)))"
  }

  /// The local date and time with its offset, such as "2027-03-28T03:30:00+02:00" (RFC 3339).
  static func local(_ instant: Instant, in zone: Zone) -> String {
    let local = zone.local(at: instant)
    // RFC 3339 has no seconds in an offset; zones before about 1970 do.
    return "\(local.date)T\(exactTime(instant, in: zone))\(offset(local.offset.seconds))"
  }

  /// An offset such as "+02:00".
  static func offset(_ seconds: Int32) -> String {
    let minutes = Int64(abs(seconds)) / 60
    return "\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// Two digits at least.
  static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallSchedule {
  /// On which days it rings again, as in "then every weekday"; nil if it rings once.
  var repetition: String? {
    switch days {
    case .once, .on: nil
    case .weekly(let set): set.text
    case .calendar(let days): "on \(days)"
    }
  }
}

extension Schedule {
  /// The column that says how often it rings.
  var repeatsColumn: String {
    guard case .wall(let wall) = self else { return "once" }
    let days: String
    switch wall.days {
    case .once, .on: days = "once"
    case .weekly(.everyDay): days = "daily"
    case .weekly(.weekdays): days = "weekdays"
    case .weekly(.weekends): days = "weekends"
    case .weekly(let set): days = set.days.map(\.title).joined(separator: ",")
    case .calendar(let expression): days = "\(expression)"
    }
    return wall.zone.map { "\(days) \($0)" } ?? days
  }
}

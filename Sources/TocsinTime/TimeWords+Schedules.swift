extension TimeWords {
  /// Puts the words together: one schedule for each clock.
  ///
  /// "Tomorrow" and "past" are measured from `now`, on the clocks of `local` if the text names no
  /// zone.
  func schedules(now: Instant, zone local: Zone) throws(Refusal) -> [Schedule] {
    let zone = self.zone ?? local
    guard !clocks.isEmpty || isMidnight else {
      throw Refusal(
        understood: "it says no time of day",
        remedy: "add one, such as 7:30, noon or midnight"
      )
    }
    guard !isMidnight || clocks.isEmpty else {
      throw Refusal(understood: "it says midnight and another time", remedy: "write 0:00 instead")
    }
    try checkDays()
    let today = zone.date(at: now)
    var schedules: [Schedule] = []
    for clock in isMidnight ? [.midnight] : clocks {
      let days = try days(at: clock, now: now, today: today, zone: zone)
      if case .on(let date) = days {
        try Self.check(date, clock, now: now, zone: zone, today: relativeDay == .today)
      }
      schedules.append(.wall(WallSchedule(time: clock, days: days, zone: self.zone?.name)))
    }
    return schedules
  }

  /// Refuses texts that say two kinds of day.
  private func checkDays() throws(Refusal) {
    if week != nil {
      guard !repeats, weekdays.days.count == 1, relativeDay == nil, date == nil else {
        throw Refusal(
          understood: "\"this\" and \"next\" go with one day of the week",
          remedy: "write such as \"next mon 9:00\""
        )
      }
    }
    if relativeDay != nil, date != nil || !weekdays.isEmpty { throw Self.twoDays }
    if date != nil, repeats {
      throw Refusal(
        understood: "a date comes once and \"every\" or several days repeat",
        remedy: "write one of them, or *-06-02 for every year"
      )
    }
    let isDaily = weekdays == .everyDay && repeats
    if isMidnight, week != nil || date != nil || !(weekdays.isEmpty || isDaily) {
      throw Refusal(
        understood: "midnight both begins and ends that day",
        remedy: "write 0:00, which begins it, or 0:00 of the day after"
      )
    }
    if isMidnight, relativeDay == .tomorrow {
      throw Refusal(
        understood: "midnight both begins and ends that day",
        remedy: "write \"tomorrow 0:00\", which begins it, or \"midnight\" for the coming one"
      )
    }
  }

  private func days(
    at clock: TimeOfDay,
    now: Instant,
    today: CivilDate,
    zone: Zone
  ) throws(Refusal) -> WallSchedule.Days {
    switch relativeDay {
    case .today: return .on(isMidnight ? today.adding(days: 1) : today)
    case .tomorrow: return .on(today.adding(days: 1))
    case .tonight: return .on(try tonight(at: clock, now: now, today: today, zone: zone))
    case nil: break
    }
    switch date {
    case .full(let date): return .on(try matching(date))
    case .yearless(let month, let day):
      return .on(try matching(coming(month, day, at: clock, now: now, today: today, zone: zone)))
    case nil: break
    }
    if weekdays.isEmpty { return .once }
    if let week, let day = weekdays.days.first {
      let monday = today.adding(days: -Int(today.weekday.rawValue))
      return .on(monday.adding(days: Int(day.rawValue) + (week == .next ? 7 : 0)))
    }
    return .weekly(weekdays)
  }

  /// The evening of today from 17:00, or the small hours that follow it, up to 6:00.
  private func tonight(
    at clock: TimeOfDay,
    now: Instant,
    today: CivilDate,
    zone: Zone
  ) throws(Refusal) -> CivilDate {
    if clock.hour >= 17 { return today }
    guard clock.hour < 6 else {
      let evening = clock.hour < 12 ? "\(clock.hour + 12):\(padded(clock.minute, 2))" : "today"
      throw Refusal(
        understood: "\(clock) is not at night",
        remedy: evening == "today" ? "write \"today \(clock)\"" : "did you mean \(evening)?"
      )
    }
    let isNight = zone.local(at: now).time.hour < 6
    return isNight && zone.resolve(today, clock).instant > now ? today : today.adding(days: 1)
  }

  /// The first such date whose time is still to come.
  private func coming(
    _ month: Int,
    _ day: Int,
    at clock: TimeOfDay,
    now: Instant,
    today: CivilDate,
    zone: Zone
  ) -> CivilDate {
    // 29 February may be eight years away.
    for year in today.year...(today.year + 8) {
      guard let date = CivilDate(year: year, month: month, day: day), date >= today else {
        continue
      }
      if zone.resolve(date, clock).instant > now { return date }
    }
    return today
  }

  /// The date, if a weekday said beside it is that of the date.
  private func matching(_ date: CivilDate) throws(Refusal) -> CivilDate {
    guard weekdays.isEmpty || weekdays.contains(date.weekday) else {
      throw Refusal(
        understood: "\(date) is a \(date.weekday.fullName)",
        remedy: "write the date or the day of the week alone"
      )
    }
    return date
  }

  /// Refuses a single date whose time is over or does not exist.
  static func check(
    _ date: CivilDate,
    _ clock: TimeOfDay,
    now: Instant,
    zone: Zone,
    today: Bool = false
  ) throws(Refusal) {
    let resolution = zone.resolve(date, clock)
    if resolution.instant <= now {
      let remedy = today ? "did you mean tomorrow \(clock)?" : nil
      throw .past("\(date) \(clock)", now: now, instant: resolution.instant, remedy: remedy)
    }
    guard case .gap(let instant, let before, let after) = resolution else { return }
    let step = Int64(after - before) * 1_000_000
    let choices = [instant.advanced(byMicroseconds: -step), instant].map { choice in
      let (choiceDate, time, _) = zone.local(at: choice)
      return choiceDate == date ? "\(time)" : "\(choiceDate) \(time)"
    }
    throw Refusal(
      reason: .nonexistent,
      understood: "the clocks of \(zone.name) leave out \(clock) on \(date)",
      remedy: "did you mean \(choices[0]) or \(choices[1])?"
    )
  }
}

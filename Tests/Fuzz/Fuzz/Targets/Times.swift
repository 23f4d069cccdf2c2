import TocsinTime

extension FuzzTarget {
  private static let now = Instant(seconds: 1_806_191_999)
  private static let finder = ZoneFinder(
    read: { try FileBytes.read($0) },
    environment: [:],
    localtimeTarget: { "/usr/share/zoneinfo/Europe/Berlin" }
  ).knowingNames()
  private static let local = (try? finder.zone(named: "Europe/Berlin")) ?? .utc

  /// What people write for a time.
  static let times = FuzzTarget(name: "times") { input in
    let text = String(decoding: input, as: UTF8.self)
    let meaning: TimeMeaning
    do throws(TimeTextError) {
      meaning = try TimeText.parse(text, now: now, zone: local) { name throws(ZoneError) in
        try finder.zone(named: name)
      }
    } catch {
      promise(!error.description.isEmpty, "an error says what to write instead")
      return
    }
    promise(!meaning.understood.isEmpty, "what is understood is said")
    switch meaning {
    case .span(let span): promise(span > .zero, "a span is longer than nothing")
    case .schedules(let schedules):
      promise(!schedules.isEmpty, "there is a schedule")
      for schedule in schedules {
        switch schedule {
        case .fixed(let instant): promise(instant >= now, "what is over is refused")
        case .wall(let wall): walk(wall)
        }
      }
    }
  }

  /// The next occurrences go on, and the last before each is found from behind.
  private static func walk(_ schedule: WallSchedule) {
    let zone = schedule.zone.flatMap { try? finder.zone(named: $0) } ?? local
    var (instant, date) = (now, CivilDate?.none)
    for _ in 0..<5 {
      guard let next = schedule.next(after: instant, in: zone, afterDate: date) else { return }
      promise(next.instant > instant, "the next is later")
      let latest = schedule.latest(atOrBefore: next.instant, after: instant, in: zone)
      promise(latest == next || date != nil, "it is the last up to itself")
      (instant, date) = (next.instant, next.date)
    }
  }

  /// A length of time.
  static let durations = FuzzTarget(name: "durations") { input in
    let text = String(decoding: input, as: UTF8.self)
    let duration = try TimeText.duration(text, allowingZero: true)
    promise(duration >= .zero, "no length is negative")
    // Whole milliseconds are said exactly, with as many units as it takes.
    guard duration > .zero, duration.microseconds % 1_000 == 0 else { return }
    let said = duration.text(units: 9)
    promise((try? TimeText.duration(said)) == duration, "\(said) is read back")
  }

  /// A file of the time zone database.
  static let zones = FuzzTarget(name: "zones") { input in
    let bytes = Array(input)
    let finder = ZoneFinder(
      read: { _ in bytes },
      environment: [:],
      localtimeTarget: { nil }
    )
    look(at: try finder.zone(named: "Etc/Any"))
  }

  /// A rule in TZ.
  static let rules = FuzzTarget(name: "rules") { input in
    struct NoFile: Error {}
    let finder = ZoneFinder(
      read: { _ in throw NoFile() },
      environment: ["TZ": String(decoding: input, as: UTF8.self)],
      localtimeTarget: { nil }
    )
    look(at: try finder.system())
  }

  /// Asks a zone about instants near and far.
  private static func look(at zone: Zone) {
    let years: [Int64] = [-300_000_000_000, -1, 0, 1_806_191_999, 4_102_444_800, 253_402_300_799]
    for second in years {
      let instant = Instant(seconds: second)
      let (date, time, _) = zone.local(at: instant)
      _ = zone.resolve(date, time)
      if let change = zone.nextTransition(after: instant) {
        promise(change.instant > instant, "a change comes after what it was asked after")
      }
      let daily = WallSchedule(time: time, days: .weekly(.everyDay))
      if let next = daily.next(after: instant, in: zone) {
        promise(next.instant > instant, "the next is later")
      }
    }
  }
}

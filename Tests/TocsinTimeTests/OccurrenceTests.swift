import Testing

@testable import TocsinTime

/// Timelines of wall schedules around changes of offset; each row is one alarm's rings in order.
struct OccurrenceTests {
  struct Timeline: Sendable, CustomTestStringConvertible {
    let zone: String
    let schedule: String
    let from: String
    let rings: [String]

    var testDescription: String { "\(schedule) in \(zone) from \(from)" }
  }

  @Test(
    "Alarms ring at the instants that people mean",
    arguments: [
      // A weekly alarm inside the gap rings an hour later on the clock, then as before.
      Timeline(
        zone: "Europe/Berlin",
        schedule: "sun 02:30",
        from: "2027-03-27T12:00:00Z",
        rings: ["2027-03-28T01:30:00Z", "2027-04-04T00:30:00Z"]
      ),
      Timeline(
        zone: "America/New_York",
        schedule: "sun 02:30",
        from: "2027-03-13T12:00:00Z",
        rings: ["2027-03-14T07:30:00Z", "2027-03-21T06:30:00Z"]
      ),
      // Between the passes of a fold the next one is tomorrow's.
      Timeline(
        zone: "Europe/Berlin",
        schedule: "daily 02:30",
        from: "2027-10-30T12:00:00Z",
        rings: ["2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "daily 02:30",
        from: "2027-10-31T00:45:00Z",
        rings: ["2027-11-01T01:30:00Z"]
      ),
      // A gap early in the day leaves the rest of the day alone.
      Timeline(
        zone: "Australia/Sydney",
        schedule: "daily 02:30, 06:30, 10:30",
        from: "2027-10-02T14:00:00Z",
        rings: ["2027-10-02T16:30:00Z", "2027-10-02T19:30:00Z", "2027-10-02T23:30:00Z"]
      ),
      // Set the evening before a change.
      Timeline(
        zone: "Europe/Berlin",
        schedule: "sun 06:00",
        from: "2027-03-27T19:00:00Z",
        rings: ["2027-03-28T04:00:00Z", "2027-04-04T04:00:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "sun 06:00",
        from: "2027-10-30T18:00:00Z",
        rings: ["2027-10-31T05:00:00Z", "2027-11-07T05:00:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "mon 08:00",
        from: "2027-10-25T06:00:00Z",
        rings: ["2027-11-01T07:00:00Z", "2027-11-08T07:00:00Z"]
      ),
      // Half an hour of daylight saving time.
      Timeline(
        zone: "Australia/Lord_Howe",
        schedule: "daily 01:45",
        from: "2027-04-03T14:00:00Z",
        rings: ["2027-04-03T14:45:00Z", "2027-04-04T15:15:00Z"]
      ),
      Timeline(
        zone: "Australia/Lord_Howe",
        schedule: "daily 02:15",
        from: "2027-10-02T14:00:00Z",
        rings: ["2027-10-02T15:45:00Z", "2027-10-03T15:15:00Z"]
      ),
      Timeline(
        zone: "Australia/Lord_Howe",
        schedule: "sun 02:15",
        from: "2027-10-02T14:00:00Z",
        rings: ["2027-10-02T15:45:00Z", "2027-10-09T15:15:00Z"]
      ),
      // A gap that ends at midnight.
      Timeline(
        zone: "America/Nuuk",
        schedule: "sat 23:30",
        from: "2027-03-27T12:00:00Z",
        rings: ["2027-03-28T01:30:00Z", "2027-04-04T00:30:00Z"]
      ),
      Timeline(
        zone: "America/Nuuk",
        schedule: "sat 23:30",
        from: "2027-03-28T01:10:00Z",
        rings: ["2027-03-28T01:30:00Z"]
      ),
      // Two hours at once, and four changes in a year.
      Timeline(
        zone: "Antarctica/Troll",
        schedule: "daily 02:00",
        from: "2027-03-27T12:00:00Z",
        rings: ["2027-03-28T02:00:00Z", "2027-03-29T00:00:00Z"]
      ),
      Timeline(
        zone: "Africa/Casablanca",
        schedule: "daily 02:30",
        from: "2027-02-06T12:00:00Z",
        rings: ["2027-02-07T01:30:00Z", "2027-02-08T02:30:00Z"]
      ),
      Timeline(
        zone: "Africa/Casablanca",
        schedule: "daily 02:30",
        from: "2027-03-13T12:00:00Z",
        rings: ["2027-03-14T02:30:00Z", "2027-03-15T01:30:00Z"]
      ),
      // An alarm of another zone knows nothing of the machine's changes.
      Timeline(
        zone: "Europe/London",
        schedule: "daily 01:30 UTC",
        from: "2027-10-30T12:00:00Z",
        rings: ["2027-10-31T01:30:00Z", "2027-11-01T01:30:00Z"]
      ),
      // Set on the evening after the gap, and at the very minute.
      Timeline(
        zone: "America/New_York",
        schedule: "02:30",
        from: "2027-03-15T00:00:00Z",
        rings: ["2027-03-15T06:30:00Z"]
      ),
      Timeline(
        zone: "America/New_York",
        schedule: "07:00",
        from: "2027-03-15T00:00:00Z",
        rings: ["2027-03-15T11:00:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "07:00",
        from: "2027-06-01T05:00:30Z",
        rings: ["2027-06-02T05:00:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "07:00",
        from: "2027-06-01T05:00:00Z",
        rings: ["2027-06-02T05:00:00Z"]
      ),
      // Moved from Berlin to London overnight: seven there.
      Timeline(
        zone: "Europe/London",
        schedule: "07:00",
        from: "2027-06-01T20:00:00Z",
        rings: ["2027-06-02T06:00:00Z"]
      ),
      // Weekdays are names, whatever day a week begins with.
      Timeline(
        zone: "Europe/Berlin",
        schedule: "sundays 07:00",
        from: "2027-03-27T12:00:00Z",
        rings: ["2027-03-28T05:00:00Z", "2027-04-04T05:00:00Z"]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "weekdays 07:00",
        from: "2027-03-27T12:00:00Z",
        rings: [
          "2027-03-29T05:00:00Z", "2027-03-30T05:00:00Z", "2027-03-31T05:00:00Z",
          "2027-04-01T05:00:00Z", "2027-04-02T05:00:00Z", "2027-04-05T05:00:00Z",
        ]
      ),
      Timeline(
        zone: "Europe/Berlin",
        schedule: "tue..sun 23:10",
        from: "2027-03-29T21:09:00Z",
        rings: ["2027-03-30T21:10:00Z"]
      ),
      // 29 February.
      Timeline(
        zone: "UTC",
        schedule: "*-02-29 07:00",
        from: "2027-01-01T00:00:00Z",
        rings: ["2028-02-29T07:00:00Z", "2032-02-29T07:00:00Z"]
      ),
      Timeline(
        zone: "UTC",
        schedule: "*-02-29 07:00",
        from: "2097-01-01T00:00:00Z",
        rings: ["2104-02-29T07:00:00Z"]
      ),
    ]
  )
  func timelines(timeline: Timeline) throws {
    let local = try TestZones.zone(timeline.zone)
    let from = try instant(timeline.from)
    let meaning = try TestZones.meaning(timeline.schedule, now: from, zone: local)
    guard case .schedules(let schedules) = meaning else { throw Missing(what: "a schedule") }
    var rings: [Instant] = []
    for case .wall(let schedule) in schedules {
      let zone = try TestZones.zone(of: schedule, local: local)
      // Walks as the daemon does: from one ring to the next, by instant and by date.
      var last: Occurrence?
      for _ in 0..<(schedules.count > 1 ? 1 : timeline.rings.count) {
        last = schedule.next(after: last?.instant ?? from, in: zone, afterDate: last?.date)
        if let last { rings.append(last.instant) }
      }
    }
    #expect(try rings == timeline.rings.map { try instant($0) })
  }

  @Test("Ten weekday mornings stay at seven and leave the schedule unchanged")
  func doesNotDrift() throws {
    let zone = try TestZones.zone("America/New_York")
    let schedule = WallSchedule(time: try clock("07:00"), days: .weekly(.weekdays))
    var moment = try instant("2027-03-08T00:00:00Z")
    var dates: Set<CivilDate> = []
    for _ in 0..<10 {
      let occurrence = try require(schedule.next(after: moment, in: zone), "a ring")
      #expect(zone.local(at: occurrence.instant).time == schedule.time)
      #expect(WeekdaySet.weekdays.contains(occurrence.date.weekday))
      dates.insert(occurrence.date)
      moment = occurrence.instant
    }
    #expect(dates.count == 10)
  }

  @Test("The occurrence keeps its date and says what happened to its time")
  func explains() throws {
    let nuuk = try TestZones.zone("America/Nuuk")
    let schedule = WallSchedule(time: try clock("23:30"), days: .weekly(.sat))
    let occurrence = try require(
      schedule.next(after: instant("2027-03-27T12:00:00Z"), in: nuuk),
      "a ring"
    )
    #expect(occurrence.date.description == "2027-03-27")
    #expect(occurrence.shift == .gap(from: -7_200, to: -3_600))
    #expect(nuuk.local(at: occurrence.instant).date.description == "2027-03-28")
    let berlin = try TestZones.zone("Europe/Berlin")
    let fold = WallSchedule(time: try clock("02:30"), days: .on(try date("2027-10-31")))
    #expect(fold.next(after: Instant(seconds: 0), in: berlin)?.shift == .fold)
    #expect(try fold.occurrence(on: date("2027-10-31"), in: berlin)?.shift == .fold)
    #expect(try fold.occurrence(on: date("2027-10-30"), in: berlin) == nil)
  }

  @Test("A clock set back does not bring a date again")
  func stepBack() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let schedule = WallSchedule(time: try clock("07:00"), days: .weekly(.everyDay))
    let next = try schedule.next(
      after: instant("2027-06-01T04:00:00Z"),
      in: berlin,
      afterDate: date("2027-06-01")
    )
    #expect(try next?.instant == instant("2027-06-02T05:00:00Z"))
  }

  @Test("What was missed is the last occurrence of the time that was lost")
  func latest() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let friday = try instant("2027-06-04T16:00:00Z")
    let monday = try instant("2027-06-07T06:00:00Z")
    func latest(_ text: String, afterDate: CivilDate? = nil) throws -> String? {
      let meaning = try TestZones.meaning(text, now: friday, zone: berlin)
      guard case .schedules(let schedules) = meaning, case .wall(let schedule)? = schedules.first
      else { throw Missing(what: "a schedule") }
      return schedule.latest(atOrBefore: monday, after: friday, in: berlin, afterDate: afterDate)?
        .instant.rfc3339
    }
    #expect(try latest("daily 06:00") == "2027-06-07T04:00:00.000Z")
    #expect(try latest("daily 08:00") == "2027-06-07T06:00:00.000Z")
    #expect(try latest("daily 19:00") == "2027-06-06T17:00:00.000Z")
    #expect(try latest("fri 18:00") == nil)
    #expect(try latest("thu 18:00") == nil)
    // Once means the first such time, not the last.
    #expect(try latest("06:00") == "2027-06-05T04:00:00.000Z")
    #expect(try latest("2027-06-05 09:00") == "2027-06-05T07:00:00.000Z")
    #expect(try latest("*-*-05 09:00") == "2027-06-05T07:00:00.000Z")
    #expect(try latest("daily 06:00", afterDate: date("2027-06-07")) == nil)
  }

  @Test("Clocks put back over midnight do not bring the new date's times again")
  func foldOverMidnight() throws {
    // As Newfoundland did until 2011: at 00:01 on Sunday it is 23:01 on Saturday again.
    let zone = try Zone(name: "St_Johns", posix: "NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01")
    let change = try instant("2027-11-07T02:31:00Z")
    #expect(zone.local(at: change).date.description == "2027-11-06")
    let daily = WallSchedule(time: .midnight, days: .weekly(.everyDay))
    let ring = try instant("2027-11-07T02:30:00Z")
    let missed = daily.latest(atOrBefore: change, after: change - .seconds(86_400), in: zone)
    let wanted = Occurrence(instant: ring, date: try date("2027-11-07"), shift: .fold)
    #expect(missed == wanted)
    #expect(try daily.next(after: change, in: zone)?.date == date("2027-11-08"))
  }

  @Test("Schedules that never ring end at once")
  func never() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let last = Instant(microseconds: .max)
    for days in [
      WallSchedule.Days.weekly([]), .calendar(try require(CalendarDays("*-02-30"), "days")),
      .calendar(try require(CalendarDays("2020-*-*"), "days")), .on(try date("2020-01-01")),
    ] {
      let schedule = WallSchedule(time: .midnight, days: days)
      let start = try instant("2027-01-01T00:00:00Z")
      #expect(schedule.next(after: start, in: berlin) == nil)
      #expect(schedule.next(after: last, in: berlin) == nil)
      #expect(schedule.latest(atOrBefore: last, after: start, in: berlin) == nil)
    }
  }

  @Test("A schedule takes little memory")
  func size() {
    #expect(MemoryLayout<Schedule>.stride <= 40)
    #expect(MemoryLayout<CalendarDays>.size == 16)
  }
}

import Testing

@testable import TocsinTime

struct ZoneTests {
  @Test(
    "POSIX strings in all their forms are read",
    arguments: [
      ("UTC0", "2027-07-01T00:00:00Z", 0, "UTC"),
      ("<+0545>-5:45", "2027-07-01T00:00:00Z", 20_700, "+0545"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T00:59:59Z", 3_600, "CET"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28T01:00:00Z", 7_200, "CEST"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31T01:00:00Z", 3_600, "CET"),
      ("EST5EDT", "2027-03-14T07:00:00Z", -14_400, "EDT"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-01-01T00:00:00Z", 0, "GMT"),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-07-01T00:00:00Z", 3_600, "IST"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T00:59:59Z", -7_200, "-02"),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T01:00:00Z", -3_600, "-01"),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2027-03-27T00:00:00Z", 10_800, "EEST"),
      ("AAA3BBB,J60/0,J300/0", "2028-03-01T03:00:00Z", -7_200, "BBB"),
      ("AAA3BBB,J60/0,J300/0", "2028-03-01T02:59:59Z", -10_800, "AAA"),
      ("AAA3BBB,J59/0,J300/0", "2028-02-28T03:00:00Z", -7_200, "BBB"),
      ("AAA3BBB,59/0,300/0", "2028-02-29T03:00:00Z", -7_200, "BBB"),
      ("XXX3EDT4,0/0,J365/23", "2027-12-31T23:59:59Z", -14_400, "EDT"),
      ("XXX3EDT4,0/0,J365/23", "2028-01-01T03:00:00Z", -14_400, "EDT"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "1950-07-01T00:00:00Z", 7_200, "CEST"),
      ("CET-1CEST,M3.5.0,M10.5.0/3", "9999-07-01T00:00:00Z", 7_200, "CEST"),
    ]
  )
  func readsPosix(rule: String, at time: String, seconds: Int32, abbreviation: String) throws {
    let offset = try Zone(name: "test", posix: rule).offset(at: instant(time))
    #expect(offset.seconds == seconds)
    #expect(offset.abbreviation == abbreviation)
  }

  @Test(
    "What is no POSIX string is an error",
    arguments: [
      "", "UTC", "U0", "UTC25", "<UTC0", "<U>0", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
      "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365",
      "CET-1CEST,366,0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "CET-1:60",
      "CET-1CEST,", "Europe/Berlin", String(repeating: "A", count: 300),
    ]
  )
  func refusesPosix(rule: String) {
    #expect(throws: ZoneError.self) { try Zone(name: "test", posix: rule) }
  }

  @Test("The ends of time have an offset and no transition traps")
  func endsOfTime() throws {
    let berlin = try Zone(name: "test", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    for moment in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      let moment = Instant(microseconds: moment)
      #expect([3_600, 7_200].contains(berlin.offset(at: moment).seconds))
      _ = berlin.local(at: moment)
      _ = berlin.nextTransition(after: moment)
      _ = WallSchedule(time: .midnight, days: .weekly(.everyDay)).next(after: moment, in: berlin)
    }
    for day in [Int32.min, 0, .max] {
      _ = berlin.resolve(CivilDate(daysSince1970: day), .midnight)
    }
    #expect(Zone.utc.nextTransition(after: Instant(seconds: 0)) == nil)
  }

  @Test("The same rules are equal, other rules or another name are not")
  func equality() throws {
    let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
    #expect(try Zone(name: "a", posix: rule) == Zone(name: "a", posix: rule))
    #expect(try Zone(name: "a", posix: rule) != Zone(name: "b", posix: rule))
    #expect(try Zone(name: "a", posix: rule) != Zone(name: "a", posix: "CET-1"))
  }

  @Test(
    "A day that a zone left out is read with the offset before",
    .enabled(if: SystemZones.areInstalled)
  )
  func skippedDay() throws {
    let apia = try SystemZones.zone("Pacific/Apia")
    let resolution = try apia.resolve(date("2011-12-30"), clock("07:00"))
    #expect(
      try resolution
        == .gap(instant("2011-12-30T17:00:00Z"), before: -10 * 3_600, after: 14 * 3_600)
    )
    // The day after rings at the same instant, once.
    let daily = WallSchedule(time: try clock("07:00"), days: .weekly(.everyDay))
    let first = try daily.next(after: instant("2011-12-30T16:00:00Z"), in: apia)
    #expect(first?.date.description == "2011-12-30")
    let second = try daily.next(after: instant("2011-12-30T17:00:00Z"), in: apia)
    #expect(second?.date.description == "2012-01-01")
  }
}

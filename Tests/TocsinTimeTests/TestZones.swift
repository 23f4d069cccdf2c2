import TocsinTime

/// A small time zone database whose rules never change under the tests.
///
/// What a text or an alarm means is fixed; the rules of real zones are not, and an upgrade of
/// tzdata may not fail a test. The real ones are held against another reader in ZoneProofTests.
enum TestZones {
  private static let rules = [
    "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
    "America/Nuuk": "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
    "Antarctica/Troll": "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3",
    "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
    "Australia/Sydney": "AEST-10AEDT,M10.1.0,M4.1.0/3",
    "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
    "Europe/London": "GMT0BST,M3.5.0/1,M10.5.0",
  ]

  /// Paths and bytes of the whole database, with the list that it keeps of itself.
  static let files: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    for (name, rule) in rules {
      files[name] = TZifFile.bytes(
        version: 2,
        times: [],
        indexes: [],
        offsets: [(0, 0, "LMT")],
        footer: rule
      )
    }
    // Clocks go back for a month: 2027-02-07T02:00Z to 2027-03-14T02:00Z.
    files["Africa/Casablanca"] = TZifFile.bytes(
      version: 2,
      times: [1_801_965_600, 1_804_989_600],
      indexes: [1, 0],
      offsets: [(3_600, 0, "+01"), (0, 1, "+00")],
      footer: "<+01>-1"
    )
    files["UTC"] = TZifFile.bytes(version: 0, times: [], indexes: [], offsets: [(0, 0, "UTC")])
    let list = files.keys.sorted().map { "Z \($0) 0 - LMT\n" }.joined()
    files["tzdata.zi"] = Array(list.utf8)
    return Dictionary(
      uniqueKeysWithValues: files.map { ("/usr/share/zoneinfo/\($0.key)", $0.value) }
    )
  }()

  static let finder = ZoneFinder(
    read: { path in try require(files[path], path) },
    environment: [:],
    localtimeTarget: { nil }
  )

  static func zone(_ name: String) throws -> Zone {
    try finder.zone(named: name)
  }

  static func meaning(_ text: String, now: Instant, zone: Zone) throws(TimeTextError) -> TimeMeaning
  {
    try TimeText.parse(text, now: now, zone: zone) { name throws(ZoneError) in
      try finder.zone(named: name)
    }
  }

  /// The zone whose clocks a schedule follows on a machine in that zone.
  static func zone(of schedule: WallSchedule, local: Zone) throws -> Zone {
    try schedule.zone.map { try zone($0) } ?? local
  }
}

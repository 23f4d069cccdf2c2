import ProcessTesting
import Testing

@testable import TocsinTime

struct TZifTests {
  @Test("Every truncation of a real file is an error", .enabled(if: SystemZones.areInstalled))
  func truncated() throws {
    let bytes = try SystemZones.bytes("Europe/Berlin")
    for length in 0..<bytes.count {
      #expect(throws: ZoneError.self) { try Zone(name: "cut", tzif: Array(bytes[..<length])) }
    }
  }

  @Test(
    "Changed bytes make an error or another zone, never a trap",
    .enabled(if: SystemZones.areInstalled)
  )
  func changedBytes() throws {
    let daily = WallSchedule(time: try clock("02:30"), days: .weekly(.everyDay))
    let moments = try ["1800-01-01", "2027-03-28", "9999-01-01"].map {
      try instant("\($0)T00:30:00Z")
    }
    for (seed, name) in ["Europe/Berlin", "Asia/Gaza", "UTC"].enumerated() {
      let original = try SystemZones.bytes(name)
      var random = SeededGenerator(state: UInt64(seed) + 1)
      for _ in 0..<700 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          // Half of the changes hit a header or the footer, where the counts and the rule are.
          let isHead = Bool.random(using: &random)
          let index =
            isHead
            ? Int.random(in: 0..<44, using: &random) : Int.random(in: bytes.indices, using: &random)
          bytes[index] = UInt8.random(in: .min ... .max, using: &random)
        }
        guard let zone = try? Zone(name: "flipped", tzif: bytes) else { continue }
        for moment in moments + [Instant(microseconds: .min), Instant(microseconds: .max)] {
          _ = zone.local(at: moment)
          _ = zone.nextTransition(after: moment)
          _ = daily.next(after: moment, in: zone)
          _ = daily.latest(atOrBefore: moment, after: moment - .seconds(9_000_000), in: zone)
        }
      }
    }
  }

  @Test("Counts that no file could have are refused before memory is taken")
  func absurdCounts() {
    var bytes = TZifFile.bytes(version: 0, times: [], indexes: [], offsets: [(0, 0, "UTC")])
    for count in 20..<44 {
      bytes[count] = 0xff
      #expect(throws: ZoneError.self) { try Zone(name: "absurd", tzif: bytes) }
    }
    #expect(throws: ZoneError.self) {
      try Zone(name: "large", tzif: Array(repeating: 0, count: TZif.largestFile + 1))
    }
  }

  @Test("A version 1 file has no rule: its last offset stays")
  func versionOne() throws {
    let bytes = TZifFile.bytes(
      version: 0,
      times: [0, 100],
      indexes: [1, 0],
      offsets: [(3_600, 0, "ONE"), (7_200, 1, "TWO")]
    )
    let zone = try Zone(name: "one", tzif: bytes)
    #expect(zone.offset(at: Instant(seconds: -1)).abbreviation == "ONE")
    #expect(zone.offset(at: Instant(seconds: 0)).abbreviation == "TWO")
    #expect(try zone.offset(at: instant("9000-01-01T00:00:00Z")).abbreviation == "ONE")
  }

  @Test("Version 4 may begin and end in the middle of a zone's history")
  func versionFour() throws {
    let bytes = TZifFile.bytes(
      version: 4,
      times: [100, 200],
      indexes: [1, 0],
      offsets: [(0, 0, "-00"), (3_600, 0, "CET")],
      footer: ""
    )
    let zone = try Zone(name: "cut", tzif: bytes)
    #expect(zone.offset(at: Instant(seconds: 99)).abbreviation == "-00")
    #expect(zone.offset(at: Instant(seconds: 150)).abbreviation == "CET")
    #expect(zone.offset(at: Instant(seconds: 200)).abbreviation == "-00")
  }

  @Test(
    "Each broken rule of the format is an error",
    arguments: [
      TZifFile.bytes(version: 2, times: [5, 5], indexes: [0, 0], offsets: [(0, 0, "UTC")]),
      TZifFile.bytes(version: 2, times: [5, 4], indexes: [0, 0], offsets: [(0, 0, "UTC")]),
      TZifFile.bytes(version: 2, times: [5], indexes: [1], offsets: [(0, 0, "UTC")]),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: []),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(100_000, 0, "UTC")]),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(Int32.min, 0, "UTC")]),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(0, 2, "UTC")]),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "U\u{1b}[m")]),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "UTC")], footer: "CET"),
      TZifFile.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "UTC")], footer: nil),
    ]
  )
  func brokenRules(bytes: [UInt8]) {
    #expect {
      try Zone(name: "broken", tzif: bytes)
    } throws: { error in
      guard case .malformed = (error as? ZoneError)?.reason else { return false }
      return true
    }
  }

  @Test(
    "Files that count leap seconds are refused by name",
    .enabled(if: (try? SystemZones.bytes("right/UTC")) != nil, "needs the zones of right/")
  )
  func leapSeconds() throws {
    let bytes = try SystemZones.bytes("right/UTC")
    #expect(throws: ZoneError(zone: "right/UTC", reason: .countsLeapSeconds)) {
      try Zone(name: "right/UTC", tzif: bytes)
    }
  }
}

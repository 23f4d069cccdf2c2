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
    var bytes = File.bytes(version: 0, times: [], indexes: [], offsets: [(0, 0, "UTC")])
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
    let bytes = File.bytes(
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
    let bytes = File.bytes(
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
      File.bytes(version: 2, times: [5, 5], indexes: [0, 0], offsets: [(0, 0, "UTC")]),
      File.bytes(version: 2, times: [5, 4], indexes: [0, 0], offsets: [(0, 0, "UTC")]),
      File.bytes(version: 2, times: [5], indexes: [1], offsets: [(0, 0, "UTC")]),
      File.bytes(version: 2, times: [], indexes: [], offsets: []),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(100_000, 0, "UTC")]),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(Int32.min, 0, "UTC")]),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(0, 2, "UTC")]),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "U\u{1b}[m")]),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "UTC")], footer: "CET"),
      File.bytes(version: 2, times: [], indexes: [], offsets: [(0, 0, "UTC")], footer: nil),
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

/// Writes small TZif files.
private enum File {
  static func bytes(
    version: UInt8,
    times: [Int64],
    indexes: [UInt8],
    offsets: [(Int32, UInt8, String)],
    footer: String? = "UTC0"
  ) -> [UInt8] {
    var names: [UInt8] = []
    for offset in offsets { names += Array(offset.2.utf8) + [0] }
    func block(timeSize: Int) -> [UInt8] {
      var block = Array("TZif".utf8) + [version == 0 ? 0 : version + 48]
      block += Array(repeating: 0, count: 15)
      for count in [0, 0, 0, times.count, offsets.count, names.count] {
        block += big(Int64(count), 4)
      }
      for time in times { block += big(time, timeSize) }
      block += indexes
      var nameStart = 0
      for (seconds, isDaylight, name) in offsets {
        block += big(Int64(seconds), 4) + [isDaylight, UInt8(nameStart)]
        nameStart += name.utf8.count + 1
      }
      return block + names
    }
    if version == 0 { return block(timeSize: 4) }
    let end = footer.map { Array("\n\($0)\n".utf8) } ?? []
    return block(timeSize: 4) + block(timeSize: 8) + end
  }

  private static func big(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// A generator that gives the same numbers on every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// Random lives of alarms in every zone, against what Python counts out by itself.
///
/// `TOCSIN_SEED` and `TOCSIN_ROUNDS` choose which and how many; a life that differs prints its seed.
@Suite("Random lives", .enabled(if: WorldOracle.isThere))
struct WorldOracleTests {
  @Test("What is told of an alarm is what the calendar says, whatever becomes of clock and zone")
  func oracle() throws {
    let asked = ProcessInfo.processInfo.environment
    let rounds = asked["TOCSIN_ROUNDS"].flatMap(Int.init)
    if let seed = asked["TOCSIN_SEED"].flatMap(Int.init) {
      try compare(from: seed, rounds ?? 1)
    } else {
      try compare(from: 1, rounds.map { $0 / 2 } ?? 1_000)
      try compare(from: Int.random(in: 1_000_000..<1_000_000_000), rounds.map { $0 / 2 } ?? 500)
    }
  }

  private func compare(from seed: Int, _ count: Int) throws {
    let zones = ChangingZones()
    var first = seed
    while first < seed + count {
      let some = min(2_000, seed + count - first)
      var lives = 0
      for lines in try WorldOracle.lives(from: first, some) {
        let life = try Life(lines, zones)
        lives += 1
        #expect(
          life.told == life.expected,
          "differs: TOCSIN_SEED=\(life.seed) repeats it\n\(lines.joined(separator: "\n"))"
        )
      }
      #expect(lives == some)
      first += some
    }
  }
}

/// The Python script beside this file.
enum WorldOracle {
  static let python: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").map { "\($0)/python3" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }()

  static let isThere: Bool = {
    guard let text = try? run(["1", "1"]) else { return false }
    return text.hasPrefix("S 1 ")
  }()

  /// The lines of each life.
  static func lives(from seed: Int, _ count: Int) throws -> [[String]] {
    var lives: [[String]] = [[]]
    for line in try run([String(seed), String(count)]).split(separator: "\n") {
      if line == "Z 0" {
        lives.append([])
      } else {
        lives[lives.count - 1].append(String(line))
      }
    }
    return lives.dropLast()
  }

  private static func run(_ arguments: [String]) throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("world_oracle.py")
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: python ?? "/usr/bin/python3")
    process.arguments = [script.path] + arguments
    process.environment = ["PYTHONTZPATH": "/usr/share/zoneinfo", "PYTHONUTF8": "1"]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : ""
  }
}

/// The zones of the system, of which some got the rules of others.
private final class ChangingZones: @unchecked Sendable {
  private let files = ZoneFiles()
  private var read: [String: Zone] = [:]
  /// It is safe because only the test's own thread calls, one life after another.
  var rules: [String: String] = [:]

  func zone(_ name: String) -> Zone? {
    let name = rules[name] ?? name
    if let zone = read[name] { return zone }
    read[name] = files.zone(name)
    return read[name]
  }
}

/// One life: a world that goes through what the script tells, and what it told of.
private struct Life {
  let seed: Int
  private(set) var expected: [String] = []
  private(set) var told: [String] = []
  private var world: VirtualWorld
  private var zone: String
  private let zones: ChangingZones
  private var alarms = 0

  init(_ lines: [String], _ zones: ChangingZones) throws {
    self.zones = zones
    zones.rules = [:]
    let head = lines[0].split(separator: " ").map(String.init)
    seed = Int(head[1]) ?? 0
    zone = head[4]
    var rules = EngineRules()
    rules.lateGrace = (Int64(head[3]) ?? 0) * 1_000
    let start = Instant(microseconds: (Int64(head[2]) ?? 0) * 1_000)
    let local = try #require(zones.zone(zone), "\(zone)")
    let table = AlarmTable(
      rules: rules,
      zones: Zones(local: local, named: { [zones] in zones.zone($0) })
    )
    world = VirtualWorld(table: table, start: start)
    var changed = ""
    for line in lines.dropFirst() {
      let words = line.split(separator: " ").map(String.init)
      let number = words.count > 1 ? Int64(words[1]) ?? 0 : 0
      switch words[0] {
      case "A": try schedule(words)
      case "w": listen(world.advance(by: .milliseconds(number)))
      case "s": listen(world.suspend(for: .milliseconds(number)))
      case "d": listen(world.restart(after: .milliseconds(number)))
      case "t": listen(world.step(by: .milliseconds(number)))
      case "z":
        zone = words[1]
        listen(world.happen(.zoneChanged(zones.zone(zone))))
      case "r": changed = words[1]
      case "n":
        zones.rules[words[1]] = changed
        listen(world.happen(.zoneChanged(zones.zone(zone))))
      case "x": act(.stop, number)
      case "y": act(.snooze, number, Int64(words[2]) ?? 0)
      case "E": expected.append(words.dropFirst().joined(separator: " "))
      default: Issue.record("no such line: \(line)")
      }
    }
    // Which of two alarms is first in the same moment is another test's matter.
    told.sort()
    expected.sort()
  }

  private mutating func schedule(_ words: [String]) throws {
    let numbers = words.map { Int64($0) ?? 0 }
    let time = TimeOfDay(secondOfDay: Int(numbers[3]))
    let own = words[6] == "-" ? nil : words[6]
    let days: WallSchedule.Days
    switch UnicodeScalar(UInt8(numbers[1])) {
    case "W": days = .weekly(WeekdaySet(rawValue: UInt8(numbers[2])))
    case "D": days = .on(CivilDate(daysSince1970: Int32(numbers[2])))
    default: days = .once
    }
    var alarm = Alarm(
      id: AlarmID(high: 0xA4000, low: 1 << 63 | UInt64(alarms)),
      title: "\(alarms)",
      schedule: .wall(WallSchedule(time: time, days: days, zone: own))
    )
    if numbers[1] == 70 {
      alarm.schedule = .fixed(Instant(microseconds: numbers[2] * 1_000))
    } else if numbers[1] == 84 {
      alarm.schedule = nil
      alarm.countdown.preAlert = Double(numbers[2]) / 1_000
    }
    alarm.options.ringFor = Double(numbers[4]) / 1_000
    alarm.options.autoSnooze = Int(numbers[5])
    alarms += 1
    let happenings = world.happen(.schedule(alarm, source: "test"))
    #expect(!happenings.contains { if case .reject = $0.effect { true } else { false } })
    listen(happenings)
  }

  private mutating func act(_ action: AlarmAction, _ index: Int64, _ length: Int64 = 0) {
    let id = AlarmID(high: 0xA4000, low: 1 << 63 | UInt64(index))
    let duration = length == 0 ? nil : Double(length) / 1_000
    let intent = Intent(action, .named(id.description), duration: duration)
    listen(world.happen(.intent(intent, source: "test")))
  }

  private mutating func listen(_ happenings: [VirtualWorld.Happening]) {
    for happening in happenings {
      switch happening.effect {
      case .present(let event) where event.state == .alerting && event.resumed == nil:
        tell("alert", event.alarm, event.due, happening.at)
      case .miss(let event, _): tell(event.reason.rawValue, event.alarm, event.due, happening.at)
      default: break
      }
    }
  }

  private mutating func tell(_ what: String, _ id: AlarmID, _ due: Instant, _ at: Instant) {
    let (index, due, at) = (id.low & 0xFF, due.microseconds / 1_000, at.microseconds / 1_000)
    told.append("\(index) \(due) \(at) \(what)")
  }
}

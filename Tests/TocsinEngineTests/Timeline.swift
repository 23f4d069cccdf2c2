import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// A virtual world that writes down what happens in it, one line each: the local time and the event.
struct Timeline {
  var world: VirtualWorld
  var zone: Zone
  /// What happened since the log was last read.
  private(set) var log: [String] = []
  private(set) var history: [HistoryEntry] = []
  private(set) var errors: [ServiceError] = []
  private(set) var occurrences: [OccurrenceID] = []
  /// What programs are to run.
  private(set) var owed: [PendingIntent] = []
  private var ids: [String: AlarmID] = [:]

  init(
    _ start: String,
    zone: String = "Europe/Berlin",
    rules: EngineRules = EngineRules()
  ) throws {
    let zones = ZoneFiles()
    self.zone = try #require(zones.zone(zone))
    let table = AlarmTable(
      rules: rules,
      zones: Zones(local: self.zone, named: { zones.zone($0) })
    )
    world = VirtualWorld(table: table, start: try #require(Instant(rfc3339: start)))
  }

  /// The log so far; the next call sees only what follows.
  mutating func read() -> [String] {
    defer { log = [] }
    return log
  }

  /// Schedules an alarm by a time of the wall clock; `days` empty for a one-shot.
  mutating func alarm(
    _ title: String,
    _ time: String,
    _ days: WeekdaySet = [],
    zone: String? = nil,
    preAlert: Double? = nil,
    _ change: (inout Alarm) -> Void = { _ in }
  ) throws {
    let wall = WallSchedule(
      time: try #require(TimeOfDay(time)),
      days: days.isEmpty ? .once : .weekly(days),
      zone: zone
    )
    var alarm = Alarm(
      id: id(title),
      title: title,
      schedule: .wall(wall),
      countdown: CountdownDuration(preAlert: preAlert)
    )
    change(&alarm)
    add(world.happen(.schedule(alarm, source: "test")))
  }

  mutating func fixed(_ title: String, _ instant: String) throws {
    let alarm = Alarm(
      id: id(title),
      title: title,
      schedule: .fixed(try #require(Instant(rfc3339: instant)))
    )
    add(world.happen(.schedule(alarm, source: "test")))
  }

  mutating func timer(
    _ title: String,
    _ seconds: Double,
    snooze: Double? = nil,
    _ change: (inout Alarm) -> Void = { _ in }
  ) {
    var alarm = Alarm(
      id: id(title),
      title: title,
      countdown: CountdownDuration(preAlert: seconds, postAlert: snooze)
    )
    change(&alarm)
    add(world.happen(.schedule(alarm, source: "test")))
  }

  mutating func update(_ title: String, _ change: (inout Alarm) throws -> Void) throws {
    var alarm = try #require(world.table.alarm(id(title)))
    try change(&alarm)
    add(world.happen(.update(alarm, source: "test")))
  }

  mutating func act(
    _ action: AlarmAction,
    _ title: String? = nil,
    for duration: Double? = nil,
    undo: Bool = false
  ) {
    act(action, title.map { .named($0) } ?? .only, for: duration, undo: undo)
  }

  mutating func act(
    _ action: AlarmAction,
    _ target: AlarmTarget,
    for duration: Double? = nil,
    undo: Bool = false
  ) {
    let intent = Intent(action, target, duration: duration, undo: undo)
    add(world.happen(.intent(intent, source: "test")))
  }

  mutating func happen(_ event: EngineEvent) { add(world.happen(event)) }
  mutating func wait(_ duration: Duration) { add(world.advance(by: duration)) }
  mutating func suspend(_ duration: Duration) { add(world.suspend(for: duration)) }
  mutating func step(_ duration: Duration) { add(world.step(by: duration)) }
  mutating func restart(after duration: Duration) { add(world.restart(after: duration)) }

  /// Lets time pass until the wall clock shows an instant.
  mutating func wait(until instant: String) throws {
    wait(try #require(Instant(rfc3339: instant)) - world.now.wall)
  }

  mutating func move(to name: String) throws {
    zone = try #require(ZoneFiles().zone(name))
    add(world.happen(.zoneChanged(zone)))
  }

  func status(_ title: String) -> AlarmStatus? {
    guard let id = ids[title] else { return nil }
    return try? world.table.status(named: id.description).get()
  }

  /// What a sink is told that comes now.
  var presentations: [Presentation] { world.table.presentations }

  private func clock(_ instant: Instant) -> String { zone.local(at: instant).time.padded }

  mutating func id(_ title: String) -> AlarmID {
    if let id = ids[title] { return id }
    let id = AlarmID(high: UInt64(ids.count + 1) << 32 | 0x4000, low: 1 << 63)
    ids[title] = id
    return id
  }

  private mutating func add(_ happenings: [VirtualWorld.Happening]) {
    for happening in happenings {
      let time = clock(happening.at)
      switch happening.effect {
      case .present(let shown):
        occurrences.append(shown.occurrence)
        var line = "\(time) \(shown.type) \(shown.title)"
        if let late = shown.late, late > 0 { line += " late \(Int(late))" }
        if shown.resumed == true { line += " again" }
        if let fire = shown.countdown?.fire { line += " until \(clock(fire))" }
        log.append(line)
      case .clear(let cleared): log.append("\(time) cleared \(cleared.title) \(cleared.reason)")
      case .miss(let missed, _): log.append("\(time) missed \(missed.title) \(missed.reason)")
      case .secondary: log.append("\(time) secondary")
      case .reject(let error):
        errors.append(error)
        log.append("\(time) rejected \(error.code)")
      case .record(let entry): history.append(entry)
      case .owe(let intent, _): owed.append(intent)
      case .save, .delete, .accept: break
      }
    }
  }
}

extension TimeOfDay {
  /// Always with seconds.
  fileprivate var padded: String {
    description.count == 5 ? "\(description):00" : description
  }
}

/// The system's time zones, read as the daemon reads them.
struct ZoneFiles: Sendable {
  func zone(_ name: String) -> Zone? {
    let path = "/usr/share/zoneinfo/\(name)"
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    return try? Zone(name: name, tzif: [UInt8](bytes))
  }
}

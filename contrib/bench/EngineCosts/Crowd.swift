import Glibc
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// When the alarms of a crowd are due.
enum Pattern: String {
  /// At instants, in no order.
  case fixed
  /// On two days of each week, by the clocks of a zone.
  case weekly
}

/// Many alarms, and a table that is given them one after the other.
struct Crowd {
  private let pattern: Pattern
  private let count: Int
  private let now = Now(wall: Instant(microseconds: 1_800_000_000_000_000), boot: 1_000_000)
  private var generator = SystemRandomNumberGenerator()
  private var table: AlarmTable

  init(pattern: Pattern, count: Int) {
    self.pattern = pattern
    self.count = count
    let zones = SystemZones(environment: ["TZ": "Europe/Berlin"])
    var rules = EngineRules()
    rules.alarmLimit = count
    table = AlarmTable(
      rules: rules,
      zones: Zones(local: try? zones.system(), named: { zones.zone(named: $0) })
    )
    _ = table.handle(.started, now: now)
  }

  /// Sets all, asks for the next deadline as often, cancels all in another order, each with all that the
  /// daemon is then to store, record and answer; and puts all into a table and takes them out, with nothing
  /// but that.
  mutating func measure() -> [(what: String, value: Int)] {
    let ids = (0..<count).map { _ in AlarmID(using: &generator) }
    let before = residentBytes()
    let insert = nanoseconds(ids) {
      $0.alarm($1)
    } work: { crowd, alarm in
      _ = crowd.table.handle(.schedule(alarm, source: "bench"), now: crowd.now)
    }
    let bytes = residentBytes() - before
    precondition(table.count == count, "not all alarms were accepted")
    let next = nanoseconds(ids) {
      $1
    } work: { crowd, _ in
      precondition(crowd.table.deadlines(now: crowd.now).wall != nil, "none is due")
    }
    let cancel = nanoseconds(ids.shuffled()) { _, id in
      Intent(.cancel, .named(id.description))
    } work: { crowd, intent in
      _ = crowd.table.handle(.intent(intent, source: "bench"), now: crowd.now)
    }
    precondition(table.count == 0, "not all alarms were cancelled")
    let put = nanoseconds(ids) {
      $0.record($1)
    } work: { crowd, record in
      crowd.table.restore(record)
    }
    precondition(table.count == count, "not all alarms were put in")
    let take = nanoseconds(ids.shuffled()) {
      $1
    } work: { crowd, id in
      _ = crowd.table.handle(.revoked(id), now: crowd.now)
    }
    precondition(table.count == 0, "not all alarms were taken out")
    return [
      ("insert", insert / count), ("next", next / count), ("cancel", cancel / count),
      ("bytes", bytes / count), ("put", put / count), ("take", take / count),
    ]
  }

  /// What is stored of an alarm that is set.
  private mutating func record(_ id: AlarmID) -> AlarmRecord {
    var single = AlarmTable(rules: table.rules, zones: table.zones)
    for effect in single.handle(.schedule(alarm(id), source: "bench"), now: now) {
      if case .save(let record) = effect { return record }
    }
    preconditionFailure("an alarm was refused")
  }

  /// How long the work takes; what it needs is made before, some at a time, while no clock runs.
  private mutating func nanoseconds<Thing>(
    _ ids: [AlarmID],
    make: (inout Crowd, AlarmID) -> Thing,
    work: (inout Crowd, Thing) -> Void
  ) -> Int {
    var taken = Duration.zero
    for first in stride(from: 0, to: ids.count, by: 1_000) {
      let things = ids[first..<min(first + 1_000, ids.count)].map { make(&self, $0) }
      taken += ContinuousClock().measure { for thing in things { work(&self, thing) } }
    }
    return Int(taken / .nanoseconds(1))
  }

  private mutating func alarm(_ id: AlarmID) -> Alarm {
    let schedule: Schedule
    switch pattern {
    case .fixed:
      let away = Int64.random(in: 1_000_000...1_000_000_000_000, using: &generator)
      schedule = .fixed(now.wall.advanced(byMicroseconds: away))
    case .weekly:
      let minute = Int.random(in: 0..<1_440, using: &generator)
      let time = TimeOfDay(secondOfDay: minute * 60)
      schedule = .wall(WallSchedule(time: time, days: .weekly([.mon, .thu])))
    }
    return Alarm(id: id, title: "Medicine number 12", schedule: schedule)
  }
}

/// The memory that this process has at hand; proc(5), statm.
private func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
  let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    .split(separator: " ")
  return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
}

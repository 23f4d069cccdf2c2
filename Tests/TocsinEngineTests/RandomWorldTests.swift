import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Random weeks")
struct RandomWorldTests {
  @Test("Whatever happens, what is promised holds", arguments: 0..<24)
  func anything(seed: Int) throws {
    var world = try CheckedWorld(seed: UInt64(seed))
    for _ in 0..<250 { world.someEvent(of: CheckedWorld.everything) }
  }

  @Test(
    "Without steps each date rings in time or is told of, by the calendar's own count",
    arguments: 100..<112
  )
  func complete(seed: Int) throws {
    var world = try CheckedWorld(seed: UInt64(seed))
    var dues: [Instant: Bool] = [:]
    let clock = try #require(TimeOfDay(hour: seed % 24, minute: seed * 7 % 60))
    let id = AlarmID(high: 0xA4000, low: 1 << 63)
    var alarm = Alarm(
      id: id,
      title: "Each",
      schedule: .wall(WallSchedule(time: clock, days: .weekly(.everyDay)))
    )
    alarm.options.autoSnooze = seed % 3
    world.happen(.schedule(alarm, source: "test"))
    let start = world.world.now.wall
    for _ in 0..<120 {
      let before = world.world.now.wall
      let isAway = world.someEvent(of: [.wait, .wait, .suspend, .down, .stop, .snooze])
      for due in CheckedWorld.dues(
        clock,
        after: before,
        until: world.world.now.wall,
        in: world.zone
      ) {
        dues[due] = isAway
      }
      // Of several that fell into one absence only the last is told of.
      if isAway {
        let passed = dues.keys.filter { $0 > before }.sorted()
        for due in passed.dropLast() { dues[due] = nil }
      }
    }
    let told = Set(world.firstDues[id] ?? [])
    #expect(!dues.isEmpty && start < world.world.now.wall)
    for due in dues.keys { #expect(told.contains(due), "\(due) of seed \(seed)") }
    for due in told { #expect(dues[due] != nil, "\(due) of seed \(seed) is none of its times") }
  }
}

/// A world in which things happen at random, and what must hold is looked at after each.
private struct CheckedWorld {
  var world: VirtualWorld
  var zone: Zone
  /// The due times of first rings and of misses, by alarm.
  private(set) var firstDues: [AlarmID: [Instant]] = [:]

  private var random: SeededGenerator
  private let seed: UInt64
  private let files = ZoneFiles()
  private var ids: [AlarmID] = []
  /// What a sink shows.
  private var shown: [AlarmID: Presentation] = [:]
  private var ended: Set<OccurrenceID> = []
  /// The occurrence that rang for a date on a clock that was right.
  private var rung: [AlarmID: [CivilDate: OccurrenceID]] = [:]
  private var lastFired: [AlarmID: Instant] = [:]
  /// What rang already when its alarm was given another time, which may come on the same date.
  private var edited: Set<OccurrenceID> = []
  private var lastSeq: UInt64 = 0

  enum Event {
    case wait, suspend, down, step, zone, synchronise, schedule, update
    case stop, snooze, pause, resume, skip, unskip, cancel, disable, enable, extend, restart
  }

  static let everything: [Event] = [
    .wait, .wait, .wait, .wait, .suspend, .down, .step, .zone, .synchronise, .schedule, .update,
    .stop, .stop, .snooze, .pause, .resume, .skip, .unskip, .cancel, .disable, .enable, .extend,
    .restart,
  ]

  private static let zones = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Nuuk", "Antarctica/Troll",
    "Africa/Casablanca", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
  ]
  private static let starts = [
    "2027-03-26T12:00:00Z", "2027-10-29T12:00:00Z", "2027-12-30T00:00:00Z", "2028-02-27T00:00:00Z",
    "1969-12-31T00:00:00Z", "9999-11-01T00:00:00Z",
  ]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(state: seed)
    zone = try #require(files.zone(Self.zones[Int(seed) % Self.zones.count]))
    let start = try #require(Instant(rfc3339: Self.starts[Int(seed / 3) % Self.starts.count]))
    var rules = EngineRules()
    rules.alarmLimit = 12
    rules.lateGrace = [0, 15, 30, 120].randomElement(using: &random).map { $0 * 60_000_000 } ?? 0
    if seed % 5 == 0 { rules.snoozeLimit = 2 }
    world = VirtualWorld(
      table: AlarmTable(
        rules: rules,
        zones: Zones(local: zone, named: { [files] in files.zone($0) })
      ),
      start: start
    )
  }

  /// The instants at which a clock shows that time each day.
  static func dues(_ time: TimeOfDay, after start: Instant, until end: Instant, in zone: Zone)
    -> [Instant]
  {
    guard start < end else { return [] }
    var dues: [Instant] = []
    var date = zone.date(at: start).adding(days: -2)
    while date <= zone.date(at: end).adding(days: 2) {
      let due = zone.resolve(date, time).instant
      if due > start, due <= end { dues.append(due) }
      date = date.adding(days: 1)
    }
    return dues
  }

  /// Lets one of the events happen; whether nobody was there meanwhile.
  @discardableResult
  mutating func someEvent(of events: [Event]) -> Bool {
    switch events.randomElement(using: &random) ?? .wait {
    case .wait: check(world.advance(by: length(upTo: 40 * 3_600)))
    case .suspend:
      check(world.suspend(for: length(upTo: 60 * 3_600)))
      return true
    case .down:
      lastSeq = 0
      check(world.restart(after: length(upTo: 60 * 3_600)))
      return true
    case .step:
      let isBack = Bool.random(using: &random)
      let length = length(upTo: 30 * 3_600)
      let happenings = world.step(by: isBack ? .zero - length : length)
      // What rang more than a day ahead of now does not count any more.
      for (id, fired) in lastFired where isBack && fired - world.now.wall > .seconds(86_400) {
        rung[id] = nil
      }
      check(happenings)
    case .zone:
      guard let name = Self.zones.randomElement(using: &random), let other = files.zone(name) else {
        break
      }
      zone = other
      happen(.zoneChanged(other))
    case .synchronise: happen(.clockSynchronised(Bool.random(using: &random)))
    case .schedule: happen(.schedule(alarm(AlarmID(using: &random)), source: "test"))
    case .update:
      if let id = ids.randomElement(using: &random) {
        rung[id] = nil
        if let occurrence = shown[id]?.occurrence { edited.insert(occurrence) }
        happen(.update(alarm(id), source: "test"))
      }
    case .stop: act(.stop)
    case .snooze: act(.snooze, for: Bool.random(using: &random) ? nil : seconds(upTo: 30 * 3_600))
    case .pause: act(.pause)
    case .resume: act(.resume)
    case .skip: act(.skip)
    case .unskip: act(.skip, undo: true)
    case .cancel: act(.cancel)
    case .disable: act(.disable)
    case .enable: act(.enable)
    case .extend: act(.extend, for: seconds(upTo: 7_200) - 3_600)
    case .restart: act(.restart)
    }
    return false
  }

  mutating func happen(_ event: EngineEvent) {
    if case .schedule(let alarm, _) = event { ids.append(alarm.id) }
    check(world.happen(event))
  }

  private mutating func act(_ action: AlarmAction, for duration: Double? = nil, undo: Bool = false)
  {
    guard let id = ids.randomElement(using: &random) else { return }
    let target: AlarmTarget = Bool.random(using: &random) ? .named(id.description) : .all
    let isTooMuch = target == .all && [.cancel, .disable].contains(action)
    let intent = Intent(action, isTooMuch ? .only : target, duration: duration, undo: undo)
    happen(.intent(intent, source: "test"))
  }

  private mutating func seconds(upTo limit: Int64) -> Double {
    Double(Int64.random(in: 1...limit * 1_000, using: &random)) / 1_000
  }

  private mutating func length(upTo limit: Int64) -> Duration {
    // Short ones too, in which little can be due.
    let limit = Bool.random(using: &random) ? limit : 900
    return .milliseconds(Int64.random(in: 1...limit * 1_000, using: &random))
  }

  private mutating func alarm(_ id: AlarmID) -> Alarm {
    let time = TimeOfDay(secondOfDay: Int.random(in: 0..<86_400, using: &random))
    let schedule: Schedule?
    switch Int.random(in: 0..<7, using: &random) {
    case 0: schedule = nil
    case 1: schedule = .fixed(world.now.wall + length(upTo: 5 * 86_400))
    case 2: schedule = .wall(WallSchedule(time: time))
    case 3:
      schedule = .wall(
        WallSchedule(time: time, days: .on(zone.date(at: world.now.wall).adding(days: 2)))
      )
    case 4:
      schedule = .wall(WallSchedule(time: time, days: .weekly(.weekdays), zone: "Europe/Berlin"))
    default: schedule = .wall(WallSchedule(time: time, days: .weekly(.everyDay)))
    }
    var alarm = Alarm(id: id, title: "\(ids.count)", schedule: schedule)
    let lengths: [Double?] = [nil, nil, 0.001, 600, 7_200, 90_000, 9 * 86_400, 400 * 86_400]
    alarm.countdown.preAlert = lengths.randomElement(using: &random) ?? nil
    if schedule == nil, alarm.countdown.preAlert == nil { alarm.countdown.preAlert = 1_800 }
    alarm.countdown.postAlert = lengths.randomElement(using: &random) ?? nil
    alarm.options.ringFor = [nil, 0, 0.5, 60, 90_000].randomElement(using: &random) ?? nil
    alarm.options.autoSnooze = [nil, 0, 1].randomElement(using: &random) ?? nil
    alarm.isEnabled = Int.random(in: 0..<8, using: &random) > 0
    return alarm
  }

  // MARK: - What must hold

  private mutating func check(_ happenings: [VirtualWorld.Happening]) {
    for happening in happenings { check(happening.effect) }
    checkTable()
  }

  private mutating func check(_ effect: Effect) {
    switch effect {
    case .present(let event):
      #expect(event.seq > lastSeq, "seed \(seed)")
      lastSeq = event.seq
      #expect(!ended.contains(event.occurrence), "\(event.occurrence) again, seed \(seed)")
      let before = shown[event.alarm]
      if event.state == .alerting {
        #expect((event.late ?? 0) >= 0)
        #expect(
          Int64((event.late ?? 0) * 1_000_000) <= world.table.rules.lateGrace,
          "too late, seed \(seed)"
        )
        if event.resumed == nil,
          before?.occurrence != event.occurrence || before?.state != .alerting,
          event.snoozes == 0
        {
          firstDues[event.alarm, default: []].append(event.due)
        }
      }
      if let fire = event.countdown?.fire { #expect(fire == event.due) }
      shown[event.alarm] = event
    case .clear(let event):
      lastSeq = event.seq
      ended.insert(event.occurrence)
      shown[event.alarm] = nil
    case .miss(let event, _):
      lastSeq = event.seq
      if event.reason == .late, shown[event.alarm]?.occurrence != event.occurrence {
        firstDues[event.alarm, default: []].append(event.due)
      }
    case .save(let record):
      guard let activity = record.activity, case .alerting(let alert) = activity.phase,
        activity.isTrusted, let date = activity.date
      else { return }
      let occurrence = OccurrenceID(
        alarm: record.alarm.id,
        origin: activity.origin,
        serial: record.serial
      )
      guard !edited.contains(occurrence) else { return }
      let before = rung[record.alarm.id, default: [:]].updateValue(occurrence, forKey: date)
      #expect(before == nil || before == occurrence, "\(date) rang twice, seed \(seed)")
      if before == nil { lastFired[record.alarm.id] = alert.fired }
    case .delete(let id): rung[id] = nil
    default: break
    }
  }

  private func checkTable() {
    let (table, now) = (world.table, world.now)
    let deadlines = table.deadlines(now: now)
    if let wall = deadlines.wall { #expect(wall > now.wall, "seed \(seed)") }
    if let boot = deadlines.boot { #expect(boot > now.boot, "seed \(seed)") }
    // What sinks show is what there is.
    let presented = table.presentations
    #expect(Set(presented.map(\.occurrence)) == Set(shown.values.map(\.occurrence)), "seed \(seed)")
    for presentation in presented {
      let status = table.status(presentation.alarm)
      #expect(status?.state == presentation.state)
      #expect(status?.occurrence == presentation.occurrence)
      #expect(shown[presentation.alarm]?.state == presentation.state, "seed \(seed)")
      #expect(shown[presentation.alarm]?.due == presentation.due, "seed \(seed)")
    }
    let named = world.records.values.compactMap { record -> String? in
      if case .wall(let wall) = record.alarm.schedule { wall.zone } else { nil }
    }
    #expect(Set(table.zoneUses.names) == Set(named), "seed \(seed)")
    // A table made from the records is the same table.
    var copy = AlarmTable(rules: table.rules, zones: table.zones)
    _ = copy.handle(.clockSynchronised(table.isClockSynchronised), now: now)
    for record in world.records.values { copy.restore(record) }
    #expect(copy.identities() == table.identities(), "seed \(seed)")
    for id in table.identities() {
      #expect(copy.status(id) == table.status(id), "seed \(seed)")
    }
    #expect(copy.deadlines(now: now).wall == deadlines.wall, "seed \(seed)")
    #expect(copy.deadlines(now: now).boot == deadlines.boot, "seed \(seed)")
  }
}

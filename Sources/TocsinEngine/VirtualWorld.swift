package import TocsinModel
package import TocsinTime

/// The engine on clocks of its own: what simulations and tests run instead of waiting.
///
/// `advance` goes from deadline to deadline as the daemon's timers would, so that nothing happens earlier
/// or later than on a real machine.
package struct VirtualWorld: Sendable {
  package private(set) var table: AlarmTable
  package private(set) var now: Now
  /// The records as the store would hold them, for a restart.
  package private(set) var records: [AlarmID: AlarmRecord] = [:]

  /// An effect and when it happened.
  package struct Happening: Sendable {
    package let at: Instant
    package let effect: Effect
  }

  package init(table: AlarmTable, start: Instant) {
    self.table = table
    now = Now(wall: start, boot: 0)
    _ = self.table.handle(.started, now: now)
  }

  /// Lets an event happen now.
  package mutating func happen(_ event: EngineEvent) -> [Happening] {
    keep(table.handle(event, now: now))
  }

  /// Lets time pass, and everything that comes due in it.
  package mutating func advance(by duration: Duration) -> [Happening] {
    var happenings: [Happening] = []
    advance(by: duration) { effects, at in
      happenings += effects.map { Happening(at: at, effect: $0) }
    }
    return happenings
  }

  /// Lets time pass, and tells of what comes due in it as it does.
  package mutating func advance(
    by duration: Duration,
    _ tell: (_ effects: [Effect], _ at: Instant) -> Void
  ) {
    let target = now.boot + duration.microseconds
    while let next = nextDeadline, next <= target {
      move(to: max(next, now.boot))
      tick(tell)
    }
    move(to: target)
    tick(tell)
  }

  private mutating func tick(_ tell: ([Effect], Instant) -> Void) {
    let effects = table.handle(.tick, now: now)
    store(effects)
    tell(effects, now.wall)
  }

  /// Sleeps: time passes on both clocks, and nothing is handled before the end.
  package mutating func suspend(for duration: Duration) -> [Happening] {
    move(to: now.boot + duration.microseconds)
    return keep(table.handle(.tick, now: now))
  }

  /// Somebody sets the wall clock.
  package mutating func step(by duration: Duration) -> [Happening] {
    now.wall = now.wall + duration
    return keep(table.handle(.clockStepped, now: now))
  }

  /// The daemon is killed, and started again after a while on the same machine.
  package mutating func restart(after duration: Duration) -> [Happening] {
    kill(for: duration)
    return restart(
      with: records.values.sorted { $0.alarm.id.description < $1.alarm.id.description }
    )
  }

  /// The daemon is killed: time passes, and nobody is there.
  package mutating func kill(for duration: Duration) {
    move(to: now.boot + duration.microseconds)
  }

  /// The daemon is started on what was stored.
  package mutating func restart(with records: [AlarmRecord]) -> [Happening] {
    var fresh = AlarmTable(rules: table.rules, zones: table.zones)
    _ = fresh.handle(.clockSynchronised(table.isClockSynchronised), now: now)
    for record in records { fresh.restore(record) }
    table = fresh
    return keep(table.handle(.started, now: now))
  }

  /// Other rules are in force from now on.
  package mutating func adopt(_ rules: EngineRules) {
    table.rules = rules
  }

  /// The clock since boot at the next deadline of either clock.
  private var nextDeadline: BootTime? {
    let deadlines = table.deadlines(now: now)
    guard let wall = deadlines.wall.map({ $0.microseconds - now.offset }) else {
      return deadlines.boot
    }
    return deadlines.boot.map { min($0, wall) } ?? wall
  }

  private mutating func move(to boot: BootTime) {
    now.wall = now.wall.advanced(byMicroseconds: boot - now.boot)
    now.boot = boot
  }

  private mutating func keep(_ effects: [Effect]) -> [Happening] {
    store(effects)
    return effects.map { Happening(at: now.wall, effect: $0) }
  }

  private mutating func store(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .save(let record): records[record.alarm.id] = record
      case .delete(let id): records[id] = nil
      default: break
      }
    }
  }
}

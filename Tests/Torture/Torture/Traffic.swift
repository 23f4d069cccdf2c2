import ProcessTesting
import TocsinClient
import TocsinModel
import TocsinTime

/// Random requests to a daemon, one after the other, and what becomes of each.
struct Traffic {
  let connection: Connection
  let control: FaultControl
  /// Whether the disk may fail, so that an error is no promise that nothing has changed.
  var isDiskFailing: Bool
  var random: SeededGenerator
  var ledger: Ledger
  var tally = Tally()

  /// Asks for something.
  ///
  /// - Returns: false if the daemon is gone.
  mutating func someRequest(now: Instant) throws -> Bool {
    let alarms = ledger.alarms
    guard let some = alarms.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0
    else {
      let alarm = alarm(AlarmID(using: &random), now)
      return try ask(alarm.id, .schedule(alarm))
    }
    let id = some.alarm.id
    let name = id.description
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      ledger.forgetRings(of: id)
      return try ask(id, .update(alarm(id, now)))
    case 1: return try ask(id, .intent(Intent(.cancel, .named(name))))
    case 2: return try ask(id, .intent(Intent(.pause, .named(name))))
    case 3: return try ask(id, .intent(Intent(.resume, .named(name))))
    case 4: return try ask(id, .intent(Intent(.extend, .named(name), duration: 60)))
    case 5:
      return try ask(id, .intent(Intent(.skip, .named(name), undo: Bool.random(using: &random))))
    case 6:
      ledger.forgetRings(of: id)
      let action = Bool.random(using: &random) ? AlarmAction.disable : .enable
      return try ask(id, .intent(Intent(action, .named(name))))
    case 7: return try ask(id, .intent(Intent(.snooze, .named(name), duration: seconds())))
    default: return try ask(id, .intent(Intent(.stop, .named(name))))
    }
  }

  private mutating func ask(_ id: AlarmID, _ body: Request.Body) throws -> Bool {
    var status: AlarmStatus?
    let asked = wallClock()
    ledger.ask(id, body)
    tally.requests += 1
    do throws(ClientError) {
      try connection.request(body, within: patience) { reply in
        if case .alarm(_, let now) = reply { status = now }
      }
    } catch {
      switch error {
      case .service(let refusal) where refusal.code == .storage:
        tally.refused += 1
        guard isDiskFailing else { throw Failure("a disk that was well: \(refusal.message)") }
      case .service: ledger.refuse(id)
      case .lost: return false
      default: throw Failure("\(error)")
      }
      return true
    }
    tally.acknowledged += 1
    guard let status else { throw Failure("an ok without the alarm: \(body)") }
    // Nobody can tell whether it came due before it was stopped or after.
    if case .intent(let intent) = body, intent.action == .stop,
      case .fixed(let date) = status.alarm.schedule, date > asked, date <= wallClock()
    {
      return true
    }
    let isGone = isGone(after: body, status)
    var ended: OccurrenceID?
    if case .intent(let intent) = body, [.stop, .cancel].contains(intent.action) {
      ended = status.occurrence ?? ledger.latest(id)?.occurrence
    }
    ledger.acknowledge(id, isGone ? nil : status, stopped: ended, at: control.count)
    return true
  }

  /// Whether the alarm is no more; its status then is that of its last moment.
  private func isGone(after body: Request.Body, _ status: AlarmStatus) -> Bool {
    guard case .intent(let intent) = body else { return false }
    switch (intent.action, status.alarm.schedule) {
    case (.cancel, _): return true
    case (.stop, nil): return true
    // A date that will not come again; another may have been set while it rang.
    case (.stop, .fixed(let date)): return date <= wallClock()
    default: return false
    }
  }

  private mutating func seconds() -> Double {
    [0.001, 0.01, 0.05, 1, 60, 3_600].randomElement(using: &random) ?? 60
  }

  private mutating func alarm(_ id: AlarmID, _ now: Instant) -> Alarm {
    var alarm = Alarm(id: id, title: "Round \(Int.random(in: 0..<1_000, using: &random))")
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      // Not within the hour: what comes due is the timers' and the dates' part.
      let hour = Int.random(in: 1..<23, using: &random)
      let time = (now + .seconds(3_600 * Int64(hour))).microseconds / 1_000_000 % 86_400
      alarm.schedule = .wall(
        WallSchedule(time: TimeOfDay(secondOfDay: Int(time)), days: .weekly(.everyDay), zone: "UTC")
      )
    case 1: alarm.schedule = .fixed(now + .milliseconds(Int64.random(in: 5...60, using: &random)))
    case 2: alarm.schedule = .fixed(now + .seconds(Int64.random(in: 60...90_000, using: &random)))
    default: alarm.countdown.preAlert = seconds()
    }
    if Bool.random(using: &random) { alarm.countdown.postAlert = seconds() }
    if Bool.random(using: &random) {
      alarm.options.labels = [String(repeating: "x", count: .random(in: 0...3_000, using: &random))]
    }
    return alarm
  }
}

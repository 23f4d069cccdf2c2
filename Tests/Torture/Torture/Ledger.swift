import TocsinModel
import TocsinTime

/// What the daemon has acknowledged, alarm by alarm, and when on the disk's own clock.
struct Ledger {
  /// How an alarm was acknowledged to be.
  struct Version {
    /// Operations of the disk before the acknowledgement had arrived.
    var count: UInt64
    /// Nil if it is gone.
    var status: AlarmStatus?
  }

  /// Each alarm's versions, the newest last.
  private(set) var versions: [AlarmID: [Version]] = [:]
  /// Alarms about which something was asked and not answered, or answered with an error of the disk.
  private(set) var open: [AlarmID: [Request.Body]] = [:]
  /// Occurrences that were stopped, and when that was acknowledged.
  private(set) var stopped: [OccurrenceID: UInt64] = [:]
  /// The occurrence that an alarm's ring was seen under.
  private(set) var rung: [AlarmID: [Instant: OccurrenceID]] = [:]

  /// Alarms that are there, as far as was acknowledged.
  var alarms: [AlarmStatus] {
    versions.keys.sorted { $0.description < $1.description }.compactMap { latest($0) }
  }

  func latest(_ alarm: AlarmID) -> AlarmStatus? { versions[alarm]?.last?.status }

  mutating func ask(_ alarm: AlarmID, _ body: Request.Body) {
    open[alarm, default: []].append(body)
  }

  /// The disk was well, and the answer was no: nothing has changed.
  mutating func refuse(_ alarm: AlarmID) {
    open[alarm]?.removeLast()
    if open[alarm]?.isEmpty == true { open[alarm] = nil }
  }

  mutating func acknowledge(
    _ alarm: AlarmID,
    _ status: AlarmStatus?,
    stopped occurrence: OccurrenceID? = nil,
    at count: UInt64
  ) {
    refuse(alarm)
    versions[alarm, default: []].append(Version(count: count, status: status))
    if let occurrence { stopped[occurrence] = count }
  }

  /// Takes what is there now as what was acknowledged, and forgets what came after `kept` operations.
  mutating func adopt(_ alarms: [AlarmStatus], at count: UInt64, keeping kept: UInt64 = .max) {
    stopped = stopped.filter { $0.value <= kept }
    let there = Dictionary(uniqueKeysWithValues: alarms.map { ($0.alarm.id, $0) })
    for id in Set(versions.keys).union(there.keys) {
      versions[id] = [Version(count: count, status: there[id])]
    }
    open = [:]
  }

  /// A ring that a sink saw; one after a snooze is due when somebody chose, maybe with the next one.
  ///
  /// - Returns: the other identity under which the same ring was seen before.
  mutating func ring(_ shown: Presentation) -> OccurrenceID? {
    guard shown.snoozes == 0 else { return nil }
    let before = rung[shown.alarm, default: [:]].updateValue(shown.occurrence, forKey: shown.due)
    return before == shown.occurrence ? nil : before
  }

  /// The alarm was made anew, and may ring for the same time once more.
  mutating func forgetRings(of alarm: AlarmID) { rung[alarm] = nil }

  /// How an alarm may be after all but `count` operations were lost; empty if anything goes.
  func allowed(_ alarm: AlarmID, after count: UInt64) -> [AlarmStatus?] {
    let all = versions[alarm] ?? []
    let last = all.lastIndex { $0.count <= count }
    // Before its first acknowledgement it need not be there.
    return (last == nil ? [nil] : []) + all[(last ?? 0)...].map(\.status)
  }

  /// Occurrences whose end was acknowledged within `count` operations.
  func ended(within count: UInt64) -> Set<OccurrenceID> {
    Set(stopped.filter { $0.value <= count }.keys)
  }
}

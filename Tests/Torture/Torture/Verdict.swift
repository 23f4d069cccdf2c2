import ProcessTesting
import TocsinModel
import TocsinTime

/// What must hold of a daemon that was started again.
struct Verdict {
  let ledger: Ledger
  /// Operations of the disk that were not lost.
  let count: UInt64
  /// What the daemon says it has, what it presented first, and its record.
  let alarms: [AlarmStatus]
  let sync: [Presentation]
  let history: [HistoryEntry]
  /// A moment before the daemon was asked for them, and one after it had answered.
  let asked: Instant
  let answered: Instant

  /// - Throws: `Failure` with the first promise that was broken.
  func check() throws {
    let there = Dictionary(uniqueKeysWithValues: alarms.map { ($0.alarm.id, $0) })
    for id in Set(ledger.versions.keys).union(ledger.open.keys).union(there.keys) {
      try check(id, there[id])
    }
    try checkSync(there)
    try checkHistory()
  }

  private func check(_ id: AlarmID, _ status: AlarmStatus?) throws {
    let open = ledger.open[id] ?? []
    guard ledger.versions[id] != nil || !open.isEmpty else {
      throw Failure("alarm \(id) is there and was never asked for")
    }
    let allowed = ledger.allowed(id, after: count)
    if allowed.contains(where: { agrees(with: $0, status) }) { return }
    if open.contains(where: { couldBe($0, status, allowed) }) { return }
    throw Failure(
      """
      alarm \(id) is not as it was acknowledged:
        it is \(Self.text(status))
        acknowledged: \(allowed.map(Self.text).joined(separator: "\n    or "))
        without an answer: \(open.map { Self.text(Request(id: "", $0)) })
      """
    )
  }

  private static func text(_ value: (some Encodable)?) -> String {
    guard let value, let line = try? JSONLine.encode(value) else { return "gone" }
    // Labels are there to fill pages, and say nothing.
    return String(decoding: line.dropLast(), as: UTF8.self)
      .replacing(/x{9,}/) { "\($0.output.count) times x" }
  }

  /// Whether time alone leads from what was acknowledged to what is there.
  private func agrees(with acknowledged: AlarmStatus?, _ status: AlarmStatus?) -> Bool {
    guard let acknowledged else { return status == nil }
    guard let status else { return false }
    guard status.alarm == acknowledged.alarm, status.skips == acknowledged.skips else {
      return false
    }
    // The next of its times takes the place of what was under way.
    if let next = acknowledged.scheduled, next <= answered, status.state == .alerting,
      let due = status.due, isSame(due, next)
    {
      return true
    }
    switch acknowledged.state {
    case .paused:
      return status.state == .paused && status.countdown?.elapsed == acknowledged.countdown?.elapsed
        && status.countdown?.total == acknowledged.countdown?.total
    case .alerting:
      return status.state == .alerting && status.occurrence == acknowledged.occurrence
    case .countdown, .scheduled:
      guard let next = acknowledged.next else {
        return status.state == acknowledged.state && status.next == nil
      }
      if status.state == acknowledged.state {
        return next > asked && status.next.map { isSame($0, next) } == true
          && status.occurrence == acknowledged.occurrence
      }
      // It has come due since.
      guard status.state == .alerting, let due = status.due else { return false }
      return isSame(due, next)
        && (acknowledged.occurrence == nil || acknowledged.occurrence == status.occurrence)
    }
  }

  /// The clocks are read one after the other, and times are told in milliseconds.
  private func isSame(_ one: Instant, _ other: Instant) -> Bool {
    abs((one - other).microseconds) <= 2_000
  }

  /// Whether a request that was not answered may have led to this.
  private func couldBe(
    _ request: Request.Body,
    _ status: AlarmStatus?,
    _ allowed: [AlarmStatus?]
  ) -> Bool {
    switch request {
    case .schedule(let alarm): return status == nil || status?.alarm == alarm
    case .update(let alarm): return status?.alarm == alarm
    case .intent(let intent):
      switch intent.action {
      case .cancel: return status == nil
      case .stop where status == nil: return true
      default:
        // Which of the many it was does not matter here; the alarm itself is still the same.
        guard let status else { return false }
        return allowed.contains { old in
          guard var alarm = old?.alarm else { return false }
          alarm.isEnabled = status.alarm.isEnabled
          return alarm == status.alarm
        }
      }
    default: return false
    }
  }

  private func checkSync(_ there: [AlarmID: AlarmStatus]) throws {
    let ended = ledger.ended(within: count)
    for shown in sync {
      if ended.contains(shown.occurrence), shown.state == .alerting {
        let versions = (ledger.versions[shown.alarm] ?? []).map {
          "\($0.count): \(Self.text($0.status))"
        }
        throw Failure(
          """
          \(shown.occurrence) rings again, though its stop was acknowledged
            after operation \(ledger.stopped[shown.occurrence] ?? 0)
            \(versions.joined(separator: "\n    "))
            now: \(Self.text(there[shown.alarm]))
          """
        )
      }
      if shown.state == .alerting, shown.snoozes == 0,
        let before = ledger.rung[shown.alarm]?[shown.due],
        before != shown.occurrence
      {
        throw Failure(
          "\(shown.title) of \(shown.due) rang as \(before), and as \(shown.occurrence)"
        )
      }
    }
    let ringing = Set(sync.filter { $0.state == .alerting }.map(\.alarm))
    for (id, status) in there {
      let isDue = status.next.map { $0 <= asked } ?? false
      guard status.state == .alerting || isDue else { continue }
      // It may have come due between the two answers.
      if let due = status.due ?? status.next, due > asked { continue }
      if !ringing.contains(id) {
        throw Failure("alarm \(id) is due and was not presented at once: \(Self.text(status))")
      }
    }
  }

  private func checkHistory() throws {
    var seen: Set<[String]> = []
    for entry in history where entry.event == .fired {
      guard let occurrence = entry.occurrence, let due = entry.due else { continue }
      guard seen.insert(["\(occurrence)", "\(due)"]).inserted else {
        throw Failure("the record tells twice of \(occurrence), due \(due)")
      }
    }
  }
}

import TocsinModel
import TocsinTime

/// What keeps an alert from some sinks or all: routes that drop it, silences, other alerts.
extension Router {
  /// Whether anything might be held back at all.
  var mayHold: Bool { !silences.isEmpty || inhibitable > 0 }

  /// Looks again at what silences and other alarms hold back.
  ///
  /// An alarm that is held back altogether holds back nothing, so two can never silence each other.
  mutating func reconsider(_ now: Now, _ table: inout AlarmTable) {
    let inOrder = rings.indices.sorted {
      let (left, right) = (rings[$0], rings[$1])
      let first = left.plan.inhibitions.isEmpty
      guard first == right.plan.inhibitions.isEmpty else { return first }
      return left.seq < right.seq
    }
    var active: [RouteSubject] = []
    for index in inOrder {
      let (reason, held) = obstacle(for: rings[index], active, table)
      hold(index, reason, held, now, &table)
      if reason == nil { active.append(rings[index].subject) }
    }
  }

  private func obstacle(
    for ring: Ring,
    _ active: [RouteSubject],
    _ table: AlarmTable
  ) -> (reason: String?, held: [SinkTarget]) {
    if let route = ring.plan.droppedBy { return ("[route \(route)] drops it", []) }
    if let standing = silences.first(where: { $0.match.matches(ring.subject) }) {
      let end = standing.silence.until.rfc3339
      return ("silenced by \(standing.silence.source): \(standing.silence.match), until \(end)", [])
    }
    var held: [SinkTarget] = []
    for inhibition in ring.plan.inhibitions {
      guard isMet(inhibition.source, by: ring, active, table) else { continue }
      if inhibition.targets.isEmpty {
        let why = "while something rings that fits \(inhibition.source)"
        return ("[route \(inhibition.route)] holds it back \(why)", [])
      }
      held += inhibition.targets
    }
    return (nil, held)
  }

  private func isMet(
    _ source: RouteMatch,
    by ring: Ring,
    _ active: [RouteSubject],
    _ table: AlarmTable
  ) -> Bool {
    let others = { (subject: RouteSubject) in
      subject.alarm != ring.subject.alarm && source.matches(subject)
    }
    if active.contains(where: others) { return true }
    guard source.namesEvent else { return false }
    return table.presentations.contains { $0.state != .alerting && others(RouteSubject($0)) }
  }

  private mutating func hold(
    _ index: Int,
    _ reason: String?,
    _ held: [SinkTarget],
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let ring = rings[index]
    rings[index].heldBack = held
    if let reason {
      guard ring.withheld == nil || !ring.hasBegun else { return }
      rings[index].withheld = reason
      rings[index].hasBegun = true
      rings[index].unheardSince = nil
      rings[index].isReported = false
      reconcile(index, now, &table)
      note(.withheld, index, reason, now)
    } else if ring.withheld != nil {
      rings[index].withheld = nil
      let start = gathered(now)
      (rings[index].start, rings[index].began, rings[index].lastStep) = (start, start, start)
      begin(index, nil, now, &table)
    } else if !ring.hasBegun {
      begin(index, table.presentation(of: ring.occurrence), now, &table)
    } else if held != ring.heldBack {
      reconcile(index, now, &table)
      settle(index, now, &table)
    }
  }
}

import TocsinModel
import TocsinTime

/// Those that present, as they come, fail and go.
extension Router {
  mutating func meet(
    _ id: SinkID,
    _ condition: SinkCondition,
    _ timeout: Duration,
    _ scope: String?,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let isNew = sinks[id] == nil
    if isNew { order.append(id) }
    var sink = KnownSink(
      condition: condition,
      ready: sinks[id]?.ready,
      timeout: timeout.microseconds,
      scope: scope
    )
    if case .ready(let ready) = condition { sink.ready = ready }
    sinks[id] = sink
    seeWhoChooses()
    if isNew { showCountdowns(to: id, now, table) }
    // Not there yet, or other parts than was thought: who is asked is looked at again.
    for index in rings.indices {
      reconcile(index, joining: isNew ? id : nil, now, &table)
      note(condition, of: id, in: index, now, &table)
    }
    if isGathered { endGathering(now) }
  }

  /// Gives one that comes, or comes back, its share of the countdowns that routes lead to it; it is told
  /// when it is ready.
  private mutating func showCountdowns(to id: SinkID, _ now: Now, _ table: AlarmTable) {
    for occurrence in shown.keys {
      guard let presentation = table.presentation(of: occurrence) else { continue }
      let subject = RouteSubject(presentation)
      let plan = routes.plan(subject, at: now.wall, zone: table.zones.local)
      let target = resolve(plan.initial, subject.event, of: subject.application)
        .first { $0.sink == id }
      if let target { shown[occurrence]?[id] = target.share }
    }
  }

  mutating func lose(_ id: SinkID, _ now: Now, _ table: inout AlarmTable) {
    guard sinks.removeValue(forKey: id) != nil else { return }
    order.removeAll { $0 == id }
    seeWhoChooses()
    for occurrence in shown.keys { shown[occurrence]?[id] = nil }
    for index in rings.indices {
      // It is gone, so there is nobody to withdraw anything.
      rings[index].deliveries.removeAll { $0.sink == id }
      settle(index, now, &table)
    }
    if isGathered { endGathering(now) }
  }

  private mutating func seeWhoChooses() {
    isChoosy = sinks.values.contains { $0.ready?.events != nil || $0.scope != nil }
  }

  /// What a sink's condition means for what it was asked to present.
  private mutating func note(
    _ condition: SinkCondition,
    of id: SinkID,
    in index: Int,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    guard let place = rings[index].place(of: id),
      let sink = sinks[id]
    else { return }
    var delivery = rings[index].deliveries[place]
    delivery.learn(of: sink)
    switch condition {
    case .starting:
      // It is no longer there to present anything; it gets its time to come back.
      if delivery.receipt.result == .presented { delivery.receipt.result = .pending }
      if delivery.receipt.result == .pending { delivery.deadline = later(now, sink.timeout) }
    case .ready:
      // It is told with its `sync`.
      if delivery.receipt.result != .presented {
        delivery.receipt.result = .pending
        delivery.deadline = later(now, sink.timeout)
      }
    case .failed(let reason):
      delivery.end(.failed, "not running: \(reason)", at: now.wall)
    }
    if let deadline = delivery.deadline { wake(at: deadline) }
    rings[index].deliveries[place] = delivery
    record(index, place, now)
    settle(index, now, &table)
  }

  /// When an answer is due.
  func later(_ now: Now, _ timeout: Int64) -> BootTime { gathered(now) + timeout }

  /// From when on time counts: not before sinks had theirs to start.
  func gathered(_ now: Now) -> BootTime { max(now.boot, gatherUntil ?? now.boot) }

  // MARK: - Starting

  mutating func gather(_ duration: Duration, _ now: Now) {
    let end = now.boot + duration.microseconds
    gatherUntil = end
    wake(at: end)
    if isGathered { endGathering(now) }
  }

  /// Whether no sink is still starting while that is waited for.
  private var isGathered: Bool {
    guard gatherUntil != nil else { return false }
    return sinks.values.allSatisfy { $0.condition != .starting }
  }

  /// Lets the time run that was held back while sinks were starting.
  mutating func endGathering(_ now: Now) {
    guard let end = gatherUntil else { return }
    gatherUntil = nil
    restIfIdle()
    let early = max(0, end - now.boot)
    guard early > 0 else { return }
    for index in rings.indices {
      rings[index].start -= early
      rings[index].began -= early
      rings[index].lastStep -= early
      if let since = rings[index].unheardSince { rings[index].unheardSince = since - early }
      for place in rings[index].deliveries.indices {
        if let deadline = rings[index].deliveries[place].deadline {
          rings[index].deliveries[place].deadline = deadline - early
        }
      }
      if let next = rings[index].deadline { wake(at: next) }
    }
  }

  // MARK: - Who is meant

  /// The sinks that assignments mean for an alarm of a program, or of nobody in particular, and what each
  /// is asked.
  ///
  /// A program's own sink presents the program's alarms whenever anybody does, and no louder: routes choose
  /// among those that present for everybody.
  func resolve(
    _ assignments: [RoutePlan.Assignment],
    _ event: RoutedEvent = .alert,
    of application: String?
  ) -> [(sink: SinkID, share: Share)] {
    let all = everybody(for: event, of: application)
    guard assignments != [RoutePlan.Assignment()] else { return all.map { ($0, .whole) } }
    guard !assignments.isEmpty else { return [] }
    return all.compactMap { id in
      guard let sink = sinks[id] else { return nil }
      var share: Share?
      for assignment in assignments {
        if sink.scope == nil, let target = assignment.target {
          guard target.sink == id.name, target.part.map(sink.mayHave) ?? true else { continue }
        }
        let part = sink.scope == nil ? assignment.target?.part : nil
        let wanted = Share(part: part, limit: assignment.limit)
        if share?.join(wanted) == nil { share = wanted }
      }
      return share.map { (id, $0) }
    }
  }

  /// All sinks that want an event of an alarm of a program, or of nobody in particular.
  func everybody(for event: RoutedEvent, of application: String?) -> [SinkID] {
    guard isChoosy else { return order }
    return everybody(of: application).filter { sinks[$0]?.wants(event.rawValue) ?? true }
  }

  /// All sinks that present the alarms of a program, or of nobody in particular.
  func everybody(of application: String?) -> [SinkID] {
    isChoosy ? order.filter { sinks[$0]?.serves(application) ?? true } : order
  }

  /// Whether one of them is there or on its way; a program's own sink is nobody to count on.
  func isReachable(_ shares: [(sink: SinkID, share: Share)]) -> Bool {
    shares.contains { share in
      guard let sink = sinks[share.sink], sink.scope == nil else { return false }
      if case .failed = sink.condition { return false }
      return true
    }
  }
}

import TocsinModel
import TocsinTime

/// What the engine presents, as it begins, changes and ends.
extension Router {
  mutating func present(_ presentation: Presentation, _ now: Now, _ table: inout AlarmTable) {
    let index = places[presentation.occurrence]
    owners[presentation.occurrence] = presentation.sharedOptions.application
    if presentation.state == .alerting {
      if let index { return repeatAlert(index, presentation, now) }
      beginRing(presentation, now, &table)
    } else {
      let before = shownBy(presentation)
      if let index { endRing(index, presentation, now) }
      show(presentation, before: before, now, &table)
      if index != nil, mayHold { reconsider(now, &table) }
    }
  }

  mutating func clear(_ cleared: SinkMessage.Cleared, _ now: Now, _ table: inout AlarmTable) {
    unanswered[cleared.occurrence] = nil
    let owner = owners.removeValue(forKey: cleared.occurrence)
    if let index = places[cleared.occurrence] {
      let told = remove(index).deliveries.map(\.sink)
      effects.append(.send(.cleared(cleared), to: told + onlyToldOfTheEnd(told, of: owner)))
      if mayHold { reconsider(now, &table) }
      return
    }
    shownByAll.remove(cleared.occurrence)
    let shares = shown.removeValue(forKey: cleared.occurrence)
    let told =
      shares.map { shares in
        let told = order.filter { shares[$0] != nil }
        return told + onlyToldOfTheEnd(told, of: owner)
      } ?? everybody(of: owner)
    effects.append(.send(.cleared(cleared), to: told))
  }

  /// Sinks that want the ends of alarms of which they present nothing themselves.
  private func onlyToldOfTheEnd(_ told: [SinkID], of application: String?) -> [SinkID] {
    guard isChoosy else { return [] }
    return everybody(of: application).filter { id in
      !told.contains(id) && sinks[id]?.ready?.events?.contains("cleared") ?? false
    }
  }

  /// Hands on something that is told once.
  mutating func tell(
    _ message: SinkMessage,
    _ subject: RouteSubject,
    _ now: Now,
    _ table: AlarmTable
  ) {
    let plan = routes.plan(subject, at: now.wall, zone: table.zones.local)
    guard plan.droppedBy == nil else { return }
    let targets = resolve(plan.initial, subject.event, of: subject.application)
    let all = everybody(for: subject.event, of: subject.application)
    effects.append(.send(message, to: isReachable(targets) ? targets.map(\.sink) : all))
  }

  // MARK: - Countdowns

  /// Shows a countdown or a pause; who showed the occurrence `before` and is not meant any more
  /// withdraws it.
  private mutating func show(
    _ presentation: Presentation,
    before: [SinkID],
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let plan = routes.plan(
      RouteSubject(presentation),
      at: now.wall,
      zone: table.zones.local
    )
    guard !plan.routes.isEmpty else {
      shown[presentation.occurrence] = nil
      if !routes.all.isEmpty { shownByAll.insert(presentation.occurrence) }
      let all = everybody(
        for: RoutedEvent(presentation.state),
        of: presentation.sharedOptions.application
      )
      return effects.append(.send(.present(presentation), to: all))
    }
    shownByAll.remove(presentation.occurrence)
    let targets = resolve(
      plan.initial,
      RoutedEvent(presentation.state),
      of: presentation.sharedOptions.application
    )
    shown[presentation.occurrence] = Dictionary(
      targets.map { ($0.sink, $0.share) },
      uniquingKeysWith: { first, _ in first }
    )
    let left = before.filter { id in !targets.contains { $0.sink == id } }
    withdraw(presentation.occurrence, presentation.title, from: left, &table)
    send(presentation, to: targets)
  }

  /// Sends each sink its share; those that are asked the same are told together.
  mutating func send(_ presentation: Presentation, to targets: [(sink: SinkID, share: Share)]) {
    for (share, ids) in grouped(targets) {
      let own = share.of(presentation, seq: presentation.seq)
      effects.append(.send(.present(own), to: ids))
    }
  }

  private func grouped(
    _ targets: [(sink: SinkID, share: Share)]
  ) -> [(share: Share, sinks: [SinkID])] {
    var groups: [(share: Share, sinks: [SinkID])] = []
    for (sink, share) in targets {
      if let index = groups.firstIndex(where: { $0.share == share }) {
        groups[index].sinks.append(sink)
      } else {
        groups.append((share, [sink]))
      }
    }
    return groups
  }

  mutating func withdraw(
    _ occurrence: OccurrenceID,
    _ title: String,
    from ids: [SinkID],
    _ table: inout AlarmTable
  ) {
    guard !ids.isEmpty else { return }
    let cleared = SinkMessage.Cleared(
      seq: table.takeNumber(),
      occurrence: occurrence,
      title: title,
      reason: .rerouted,
      source: nil
    )
    effects.append(.send(.cleared(cleared), to: ids))
  }

  /// Who presents an occurrence until now; a countdown that begins nobody does.
  private func shownBy(_ presentation: Presentation) -> [SinkID] {
    if let index = places[presentation.occurrence] { return rings[index].deliveries.map(\.sink) }
    return counted(presentation.occurrence) ?? []
  }

  /// Who shows a countdown; nil if nobody was told of one, as far as that is known.
  func counted(_ occurrence: OccurrenceID) -> [SinkID]? {
    if let shares = shown[occurrence] { return order.filter { shares[$0] != nil } }
    return shownByAll.contains(occurrence)
      ? everybody(for: .countdown, of: owners[occurrence]) : nil
  }
}

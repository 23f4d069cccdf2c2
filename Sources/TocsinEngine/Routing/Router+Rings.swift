import TocsinModel
import TocsinTime

/// What rings: who is asked, who joins, who is left out.
extension Router {
  mutating func beginRing(
    _ presentation: Presentation,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let occurrence = presentation.occurrence
    let subject = RouteSubject(presentation)
    let start = gathered(now)
    // What rang before and was not answered counts towards the escalation.
    let before = presentation.autoSnoozes > 0 ? unanswered[occurrence] ?? 0 : 0
    unanswered[occurrence] = nil
    let counted = self.counted(occurrence)
    shown[occurrence] = nil
    shownByAll.remove(occurrence)
    let ring = Ring(
      occurrence: occurrence,
      title: presentation.title,
      due: presentation.due,
      subject: subject,
      seq: presentation.seq,
      plan: routes.plan(subject, at: now.wall, zone: table.zones.local),
      start: start,
      began: start - before,
      lastStep: start
    )
    places[occurrence] = rings.count
    rings.append(ring)
    if !ring.plan.inhibitions.isEmpty { inhibitable += 1 }
    if ring.plan.droppedBy != nil || mayHold {
      reconsider(now, &table)
    } else {
      begin(rings.count - 1, presentation, now, &table)
    }
    // Those that showed its countdown and do not present the alert withdraw it.
    guard let index = places[occurrence] else { return }
    let mayCount =
      routes.all.isEmpty
      && (presentation.kind == .timer || presentation.snoozes > 0
        || table.alarm(occurrence.alarm)?.countdown.preAlert != nil)
    let told = counted ?? (mayCount ? everybody(for: .countdown, of: subject.application) : [])
    let left = told.filter { id in !rings[index].deliveries.contains { $0.sink == id } }
    withdraw(occurrence, ring.title, from: left, &table)
  }

  /// An alert that goes on under another number, because something of it has changed.
  mutating func repeatAlert(_ index: Int, _ presentation: Presentation, _ now: Now) {
    rings[index].title = presentation.title
    rings[index].subject = RouteSubject(presentation)
    use(presentation.seq, for: index)
    rings[index].seq = presentation.seq
    for place in rings[index].deliveries.indices {
      var delivery = rings[index].deliveries[place]
      delivery.seq = presentation.seq
      delivery.deadline = later(now, sinks[delivery.sink]?.timeout ?? 0)
      if delivery.receipt.result != .presented { delivery.receipt.result = .pending }
      rings[index].deliveries[place] = delivery
    }
    if let next = rings[index].deadline { wake(at: next) }
    send(presentation, to: rings[index].deliveries.map { ($0.sink, $0.share) })
  }

  /// The alert is over for now: it was snoozed, by somebody or by itself.
  mutating func endRing(_ index: Int, _ presentation: Presentation, _ now: Now) {
    let ring = remove(index)
    unanswered[ring.occurrence] = presentation.autoSnoozes > 0 ? now.boot - ring.began : nil
  }

  /// Takes a ring out; another may come to its place.
  mutating func remove(_ index: Int) -> Ring {
    let ring = rings[index]
    let last = rings.removeLast()
    if index < rings.count {
      rings[index] = last
      places[last.occurrence] = index
    }
    places[ring.occurrence] = nil
    for number in ring.numbers { numbers[number] = nil }
    if !ring.plan.inhibitions.isEmpty { inhibitable -= 1 }
    restIfIdle()
    return ring
  }

  // MARK: - Asking

  /// Asks those who present it from the beginning.
  mutating func begin(
    _ index: Int,
    _ presentation: Presentation?,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let plan = rings[index].plan
    rings[index].hasBegun = true
    rings[index].joined = plan.initial.filter { $0.after == 0 }
    rings[index].delayed = plan.initial.filter { $0.after > 0 }
    rings[index].fallback = plan.fallback
    rings[index].escalate = plan.escalate
    if rings[index].delayed.isEmpty { askAllIfNobodyIsThere(index) }
    reconcile(index, with: presentation, now, &table)
    advance(index, now, &table)
  }

  /// An alert that would reach no sink goes to all of them.
  private mutating func askAllIfNobodyIsThere(_ index: Int) {
    let application = rings[index].subject.application
    guard !isReachable(resolve(rings[index].joined, of: application)),
      !everybody(of: application).isEmpty
    else { return }
    let names = rings[index].plan.routes.map { "[route \($0)]" }.joined(separator: ", ")
    if !names.isEmpty {
      effects.append(.log(.warning, "no sink of \(names) is there: all sinks present the alert"))
    }
    rings[index].joined.append(RoutePlan.Assignment())
  }

  /// Makes who presents it who should: asks new ones, tells others to withdraw.
  ///
  /// One that is `joining` is told of all there is when it is ready, so nothing is sent to it here.
  mutating func reconcile(
    _ index: Int,
    with presentation: Presentation? = nil,
    joining: SinkID? = nil,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let ring = rings[index]
    guard ring.hasBegun else { return }
    let asked = ring.withheld == nil ? resolve(ring.joined, of: ring.subject.application) : []
    let wanted = asked.compactMap { allowed($0, ring) }
    let gone = ring.deliveries.filter { delivery in
      !delivery.isGuest && !wanted.contains { $0.sink == delivery.sink }
    }
    if !gone.isEmpty {
      rings[index].deliveries.removeAll { delivery in
        gone.contains { $0.sink == delivery.sink }
      }
      withdraw(ring.occurrence, ring.title, from: gone.map(\.sink), &table)
    }
    let news = wanted.filter { target in
      !ring.deliveries.contains { $0.sink == target.sink && $0.share == target.share }
    }
    for (sink, share) in news where sink == joining {
      // Where nobody was there when it began, nobody was sent its number.
      if numbers[ring.seq] == nil { use(ring.seq, for: index) }
      ask(sink, share, ring.seq, index, now)
    }
    let others = news.filter { $0.sink != joining }
    guard !others.isEmpty else { return }
    var seq = ring.seq
    // The alert itself has its number already; what is sent later gets one of its own.
    if presentation == nil || !ring.numbers.isEmpty { seq = table.takeNumber() }
    use(seq, for: index)
    for (sink, share) in others { ask(sink, share, seq, index, now) }
    guard var sent = presentation ?? table.presentation(of: ring.occurrence),
      sent.state == .alerting
    else { return }
    sent.seq = seq
    send(sent, to: others)
  }

  private mutating func ask(
    _ id: SinkID,
    _ share: Share,
    _ seq: UInt64,
    _ index: Int,
    _ now: Now
  ) {
    guard let sink = sinks[id] else { return }
    let receipt = AlertReceipt(sink: id.name, parts: share.parts, audible: false)
    var delivery = Ring.Delivery(sink: id, share: share, seq: seq, receipt: receipt)
    delivery.learn(of: sink)
    delivery.deadline = later(now, sink.timeout)
    if case .failed(let reason) = sink.condition {
      delivery.end(.failed, "not running: \(reason)", at: now.wall)
    }
    let place: Int
    if let old = rings[index].place(of: id) {
      delivery.recorded = rings[index].deliveries[old].recorded
      rings[index].deliveries[old] = delivery
      place = old
    } else {
      place = rings[index].deliveries.count
      rings[index].deliveries.append(delivery)
    }
    if let deadline = delivery.deadline { wake(at: deadline) }
    record(index, place, now)
  }

  private mutating func use(_ seq: UInt64, for index: Int) {
    numbers[seq] = rings[index].occurrence
    rings[index].numbers.append(seq)
  }

  /// What is left of a share where parts of the sink, or all of it, are held back.
  private func allowed(
    _ target: (sink: SinkID, share: Share),
    _ ring: Ring
  ) -> (sink: SinkID, share: Share)? {
    let held = ring.heldBack.filter { $0.sink == target.sink.name }
    guard !held.isEmpty else { return target }
    guard held.allSatisfy({ $0.part != nil }) else { return nil }
    var share = target.share
    let all = share.parts ?? sinks[target.sink]?.ready?.parts?.map(\.name)
    guard let all else { return target }
    share.parts = all.filter { part in !held.contains { $0.part == part } }.sorted()
    return share.parts == [] ? nil : (target.sink, share)
  }

  /// A line in the record about an alert.
  mutating func note(
    _ event: HistoryEntry.Event,
    _ index: Int,
    by source: String? = nil,
    _ detail: String?,
    _ now: Now
  ) {
    effects.append(
      .record(
        HistoryEntry(
          at: now.wall,
          alarm: rings[index].occurrence.alarm,
          occurrence: rings[index].occurrence,
          application: rings[index].subject.application,
          title: rings[index].title,
          event: event,
          due: rings[index].due,
          source: source,
          detail: detail
        )
      )
    )
  }
}

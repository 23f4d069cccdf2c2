import TocsinModel
import TocsinTime

/// What sinks say of an alert, and what is done when they do not.
extension Router {
  /// Takes what a sink says of an event.
  mutating func answer(
    _ seq: UInt64,
    _ id: SinkID,
    _ result: AlertReceipt.Result,
    _ detail: String?,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    guard let occurrence = numbers[seq], let index = places[occurrence] else { return }
    let place: Int
    if let known = rings[index].place(of: id) {
      // About an alert that was sent again since, it says nothing of what it does now.
      guard rings[index].deliveries[known].isGuest || rings[index].deliveries[known].seq == seq
      else { return }
      place = known
    } else {
      guard sinks[id] == nil, rings[index].linesLeft > 0 else { return }
      let receipt = AlertReceipt(sink: id.name, audible: false)
      var guest = Ring.Delivery(sink: id, share: .whole, seq: seq, receipt: receipt)
      guest.isGuest = true
      place = rings[index].deliveries.count
      rings[index].deliveries.append(guest)
    }
    rings[index].deliveries[place].end(result, detail, at: now.wall)
    record(index, place, now)
    settle(index, now, &table)
  }

  /// Puts a receipt into the record if that is news.
  mutating func record(_ index: Int, _ place: Int, _ now: Now) {
    let delivery = rings[index].deliveries[place]
    let receipt = delivery.receipt
    guard receipt.result != .pending, receipt.result != delivery.recorded,
      rings[index].linesLeft > 0
    else { return }
    rings[index].deliveries[place].recorded = receipt.result
    rings[index].linesLeft -= 1
    let event: HistoryEntry.Event
    switch receipt.result {
    case .presented, .pending: event = .presented
    case .failed:
      event = .failed
      let reason = receipt.detail ?? "it gave no reason"
      effects.append(.log(.warning, "\(delivery.name) cannot present: \(reason)"))
    case .timedOut:
      event = .timedOut
      effects.append(.log(.warning, "\(delivery.name) did not confirm an alert"))
    }
    let detail = receipt.detail ?? receipt.parts?.joined(separator: ", ")
    note(event, index, by: receipt.sink, detail, now)
    effects.append(
      .publish(
        .receipt(
          SinkMessage.Receipt(
            seq: delivery.seq,
            occurrence: rings[index].occurrence,
            receipt: receipt
          )
        )
      )
    )
  }

  // MARK: - Steps

  /// Takes the steps that are due by the clock.
  mutating func advance(_ index: Int, _ now: Now, _ table: inout AlarmTable) {
    let ring = rings[index]
    guard ring.hasBegun, ring.withheld == nil else { return }
    for (place, delivery) in ring.deliveries.enumerated() {
      guard let deadline = delivery.deadline, deadline <= now.boot,
        delivery.receipt.result == .pending
      else { continue }
      let timeout = sinks[delivery.sink]?.timeout ?? 0
      let why = "no answer in \(ValueText.describe(timeout))"
      rings[index].deliveries[place].end(.timedOut, why, at: now.wall)
      record(index, place, now)
    }
    let due = ring.delayed.filter { ring.start + $0.after <= now.boot }
    if !due.isEmpty {
      rings[index].delayed.removeAll { ring.start + $0.after <= now.boot }
      join(index, due, now, &table)
    }
    for step in ring.escalate where ring.began + step.after <= now.boot {
      rings[index].escalate.removeFirst()
      let why = "nobody has answered for \(ValueText.describe(step.after))"
      note(.escalated, index, "\(step.names), because \(why) ([route \(step.route)])", now)
      effects.append(.log(.warning, "\(why): \(step.names) as well"))
      join(index, step.assignments, now, &table)
    }
    settle(index, now, &table)
  }

  private mutating func join(
    _ index: Int,
    _ assignments: [RoutePlan.Assignment],
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    rings[index].joined += assignments
    rings[index].lastStep = max(rings[index].lastStep, now.boot)
    reconcile(index, now, &table)
  }

  /// Sees whether it is heard, and does what is to be done if it is not.
  mutating func settle(_ index: Int, _ now: Now, _ table: inout AlarmTable) {
    guard rings[index].hasBegun, rings[index].withheld == nil else { return }
    askAllIfNobodyIsLeft(index, now, &table)
    if rings[index].isHeard {
      rings[index].unheardSince = nil
    } else if rings[index].unheardSince == nil {
      rings[index].unheardSince = max(now.boot, rings[index].start)
    }
    while let step = rings[index].fallback.first, let since = rings[index].unheardSince {
      guard since + step.after <= now.boot || rings[index].hasNothingToHope else { break }
      rings[index].fallback.removeFirst()
      let why = "\(step.names), because \(rings[index].unheardReason) ([route \(step.route)])"
      note(.fallback, index, why, now)
      effects.append(.log(.warning, "fallback to \(why)"))
      join(index, step.assignments, now, &table)
    }
    let isConfirmed = rings[index].isConfirmed
    if isConfirmed {
      rings[index].isReported = false
    } else if !rings[index].isReported, let time = rings[index].reportTime, time <= now.boot {
      report(index, now, &table)
    }
    // When answers are due was noted as they were asked for.
    if let next = rings[index].nextStep(isConfirmed: isConfirmed) { wake(at: next) }
  }

  /// Who was asked may have left, or may not have what was asked of it.
  private mutating func askAllIfNobodyIsLeft(
    _ index: Int,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    let everybody = RoutePlan.Assignment()
    guard !rings[index].joined.contains(everybody), rings[index].delayed.isEmpty,
      rings[index].heldBack.isEmpty,
      // A program's own sink is nobody to count on.
      !rings[index].deliveries.contains(where: { sinks[$0.sink]?.scope == nil }),
      !self.everybody(of: rings[index].subject.application).isEmpty
    else { return }
    effects.append(.log(.warning, "nobody is left to present an alert: all sinks do"))
    join(index, [everybody], now, &table)
  }

  /// Nobody confirmed it: everybody who might help is told, and every sink is asked.
  private mutating func report(_ index: Int, _ now: Now, _ table: inout AlarmTable) {
    let ring = rings[index]
    let troubles = ring.troubles
    rings[index].isReported = true
    note(.unheard, index, troubles, now)
    effects.append(.log(.critical, "an alarm rings and nobody has confirmed it: \(troubles)"))
    var notice = SinkMessage.Notice(
      seq: table.takeNumber(),
      level: .critical,
      text: "\(ring.shownTitle) rings and nobody has confirmed it: \(troubles)"
    )
    (notice.occurrence, notice.alarm) = (ring.occurrence, ring.occurrence.alarm)
    notice.title = ring.title
    announce(notice)
    join(index, [RoutePlan.Assignment()], now, &table)
  }
}

extension Ring {
  /// When a ring that nobody confirms is reported; nil while steps are left that may help.
  fileprivate var reportTime: BootTime? {
    guard fallback.isEmpty, delayed.isEmpty else { return nil }
    return max(unheardSince ?? start, lastStep) + Router.Rule.report
  }

  /// When something is due by the clock.
  var deadline: BootTime? {
    guard hasBegun, withheld == nil else { return nil }
    let answers = deliveries.compactMap { $0.receipt.result == .pending ? $0.deadline : nil }.min()
    return [answers, nextStep(isConfirmed: isConfirmed)].compactMap(\.self).min()
  }

  /// When something is to be done about it, whatever sinks say.
  fileprivate func nextStep(isConfirmed: Bool) -> BootTime? {
    guard hasBegun, withheld == nil else { return nil }
    var first = BootTime.max
    for assignment in delayed { first = min(first, start + assignment.after) }
    if let step = escalate.first { first = min(first, began + step.after) }
    if let since = unheardSince, let step = fallback.first {
      first = min(first, since + step.after)
    }
    if !isReported, !isConfirmed, let time = reportTime { first = min(first, time) }
    return first == .max ? nil : first
  }

  /// Why a fallback acts.
  fileprivate var unheardReason: String {
    deliveries.isEmpty ? "no sink is there" : "nothing audible is confirmed: \(troublesOrSilence)"
  }

  private var troublesOrSilence: String {
    let hasTrouble = deliveries.contains { $0.receipt.result != .presented }
    return hasTrouble ? troubles : "none of its sinks can be heard"
  }

  fileprivate var shownTitle: String {
    if !title.isEmpty { return title }
    return subject.kind == .timer ? "A timer" : "An alarm"
  }
}

extension RoutePlan.Step {
  /// Who joins, in words.
  var names: String {
    assignments.map { $0.target?.description ?? "every sink" }.joined(separator: ", ")
  }
}

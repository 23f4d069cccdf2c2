import TocsinModel

/// The events a plugin was handed and has not answered yet, the one that waits longest first.
///
/// Events are state, so of one occurrence only the newest is owed an answer: what it replaced may
/// never have been read. That bounds it by what is presented.
struct OwedReceipts: Hashable, Sendable {
  private struct Debt: Hashable, Sendable {
    var occurrence: OccurrenceID
    var since: Int64
    var isAlert: Bool
  }

  private var debts: [UInt64: Debt] = [:]
  private var newest: [OccurrenceID: UInt64] = [:]
  /// In the order they were handed over; numbers that are settled are passed over.
  private var order: [UInt64] = []
  private var head = 0

  var isEmpty: Bool { debts.isEmpty }

  /// Since when the first of them waits.
  var oldest: Int64? { head < order.count ? debts[order[head]]?.since : nil }

  /// Whether an event of this number waits for its answer.
  func contains(_ seq: UInt64) -> Bool { debts[seq] != nil }

  /// Notes an event that was handed over.
  mutating func owe(_ seq: UInt64, _ occurrence: OccurrenceID, isAlert: Bool, at now: Int64) {
    if let old = newest.updateValue(seq, forKey: occurrence), old != seq { debts[old] = nil }
    if debts.updateValue(Debt(occurrence: occurrence, since: now, isAlert: isAlert), forKey: seq)
      == nil
    {
      order.append(seq)
    }
    tidy()
  }

  /// Takes the answer to an event.
  mutating func settle(_ seq: UInt64) {
    guard let debt = debts.removeValue(forKey: seq) else { return }
    newest[debt.occurrence] = nil
    tidy()
  }

  /// Gives up those that wait since `limit` or longer; returns the newest alert among them.
  mutating func giveUp(until limit: Int64) -> (seq: UInt64, occurrence: OccurrenceID)? {
    var alert: (seq: UInt64, occurrence: OccurrenceID)?
    while head < order.count, let debt = debts[order[head]], debt.since <= limit {
      if debt.isAlert { alert = (order[head], debt.occurrence) }
      settle(order[head])
    }
    return alert
  }

  /// Keeps an owed event at `head`, and the passed ones few.
  private mutating func tidy() {
    // A storm may have made these large, and a dictionary never shrinks by itself.
    if debts.isEmpty, order.capacity > 64 { self = OwedReceipts() }
    while head < order.count, debts[order[head]] == nil { head += 1 }
    guard order.count > 64 + 2 * debts.count || head == order.count else { return }
    order = order[head...].filter { debts[$0] != nil }
    head = 0
  }
}

import TocsinModel

/// What a subscriber saw of a day.
struct Seen {
  private var rings: [(ring: Day.Ring, seq: UInt64)] = []
  private var missed: [Day.Ring] = []
  private var notices: [String] = []
  private var confirmed: [UInt64: Set<String>] = [:]
  private var refused: [String] = []

  mutating func take(_ event: SinkMessage) {
    switch event {
    case .present(let presentation) where presentation.state == .alerting:
      // To the microsecond: on such clocks nothing is late by itself.
      let fired = presentation.fired?.microseconds ?? 0
      let at = fired % 1_000_000 == 0 ? fired / 1_000_000 : -fired
      rings.append((Day.Ring(title: presentation.title, at: at), presentation.seq))
    case .missed(let event):
      missed.append(Day.Ring(title: event.title, at: event.due.microseconds / 1_000_000))
    case .notice(let notice) where notice.level != .info: notices.append(notice.text)
    case .receipt(let receipt):
      if receipt.receipt.result == .presented {
        confirmed[receipt.seq, default: []].insert(receipt.receipt.sink)
      } else if receipt.receipt.result != .pending {
        refused.append("\(receipt.receipt)")
      }
    default: break
    }
  }

  /// What is not as it has to be, in sentences.
  func faults(of day: Day) -> [String] {
    var faults: [String] = []
    let came = rings.map(\.ring).sorted { ($0.at, $0.title) < ($1.at, $1.title) }
    if came != day.rings {
      faults.append("rang \(told(came, day)), not \(told(day.rings, day))")
    }
    if missed != day.missed {
      faults.append("missed \(told(missed, day)), not \(told(day.missed, day))")
    }
    faults += notices.map { "a notice: \($0)" }
    guard !day.hasDeath else { return faults }
    faults += refused.map { "a sink refused: \($0)" }
    for (ring, seq) in rings {
      let silent = Set(Household.sinks).subtracting(confirmed[seq] ?? [])
      if !silent.isEmpty { faults.append("\(ring.title): \(silent.sorted()) did not confirm it") }
    }
    return faults
  }

  private func told(_ rings: [Day.Ring], _ day: Day) -> String {
    let texts = rings.map { "\($0.title) at \($0.at - day.start) s" }
    return "[" + texts.joined(separator: ", ") + "]"
  }
}

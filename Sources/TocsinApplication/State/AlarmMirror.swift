import TocsinModel

/// A program's alarms as the service last told them, the next to ring first.
struct AlarmMirror {
  private(set) var alarms: [AlarmStatus] = []
  private var known: [AlarmID: AlarmStatus] = [:]

  subscript(id: AlarmID) -> AlarmStatus? { known[id] }

  /// Takes an alarm in, or in place of what it was.
  ///
  /// - Returns: whether anything is otherwise than before.
  mutating func set(_ status: AlarmStatus) -> Bool {
    let before = known.updateValue(status, forKey: status.alarm.id)
    guard before != status else { return false }
    if let before { alarms.remove(at: place(of: before)) }
    alarms.insert(status, at: place(of: status))
    return true
  }

  /// Forgets an alarm.
  ///
  /// - Returns: whether it was there.
  mutating func remove(_ id: AlarmID) -> Bool {
    guard let before = known.removeValue(forKey: id) else { return false }
    alarms.remove(at: place(of: before))
    return true
  }

  /// Takes other alarms in place of all.
  ///
  /// - Returns: whether anything is otherwise than before.
  mutating func replace(_ statuses: [AlarmID: AlarmStatus]) -> Bool {
    guard statuses != known else { return false }
    known = statuses
    alarms = statuses.values.sorted(by: Self.isBefore)
    return true
  }

  /// Where an alarm stands, or would.
  private func place(of status: AlarmStatus) -> Int {
    var low = 0
    var high = alarms.count
    while low < high {
      let middle = (low + high) / 2
      if Self.isBefore(alarms[middle], status) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// By when it rings next, what will not ring last; by identity where that is the same.
  private static func isBefore(_ one: AlarmStatus, _ other: AlarmStatus) -> Bool {
    let (first, second) = (one.next?.microseconds ?? .max, other.next?.microseconds ?? .max)
    guard first == second else { return first < second }
    let (id, otherID) = (one.alarm.id, other.alarm.id)
    return (id.high, id.low) < (otherID.high, otherID.low)
  }
}

/// All alarms as they come after joining: the list, and what changes while it is under way.
///
/// Each change has to be seen, also one that the list is quicker than.
struct AlarmLoading {
  /// What is first known of each alarm.
  private(set) var first: [AlarmID: AlarmStatus] = [:]
  /// What became of them then, in order.
  private(set) var later: [(id: AlarmID, status: AlarmStatus?)] = []
  private var seen: Set<AlarmID> = []

  mutating func add(_ id: AlarmID, _ status: AlarmStatus?) {
    if seen.insert(id).inserted {
      first[id] = status
    } else {
      later.append((id, status))
    }
  }
}

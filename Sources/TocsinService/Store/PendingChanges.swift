import TocsinEngine
import TocsinModel

/// Changes that could not be stored and wait for the next try: the newest state of each alarm, what is
/// owed to programs, and the last lines of the record.
package struct PendingChanges: Sendable {
  /// How many lines of the record are kept.
  package static let historyLimit = 1_000

  private var alarms: [AlarmID: StoreChange] = [:]
  private var intents: [UInt64: StoreChange] = [:]
  private var history: [HistoryEntry] = []
  /// How many lines of the record were given up.
  package private(set) var lostHistory = 0

  package init() {}

  package var isEmpty: Bool { alarms.isEmpty && intents.isEmpty && history.isEmpty }
  package var count: Int { alarms.count + intents.count + history.count }

  /// What is to be stored, alarms first.
  package var changes: [StoreChange] {
    Array(alarms.values) + Array(intents.values) + history.map(StoreChange.record)
  }

  /// Adds changes that are newer than all it has.
  package mutating func keep(_ changes: [StoreChange]) {
    for change in changes {
      switch change {
      case .save(let record): alarms[record.alarm.id] = change
      case .delete(let id): alarms[id] = change
      case .record(let entry): history.append(entry)
      case .owe(let owed): intents[owed.intent.number] = change
      case .pay(let number):
        // One that never came to the disk leaves nothing to be undone there.
        if intents.removeValue(forKey: number) == nil { intents[number] = change }
      }
    }
    if history.count > Self.historyLimit {
      lostHistory += history.count - Self.historyLimit
      history.removeFirst(history.count - Self.historyLimit)
    }
  }

  /// Forgets everything, once it was stored.
  package mutating func removeAll() {
    alarms = [:]
    intents = [:]
    history = []
  }
}

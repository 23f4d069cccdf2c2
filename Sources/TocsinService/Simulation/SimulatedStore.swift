import TocsinEngine
import TocsinModel

/// What a timeline has on disk: the real store, in memory.
///
/// A commit is under way only while the clock stands still, so nothing between two restarts can tell
/// whether each change was written or only the last of each alarm; the last is.
struct SimulatedStore {
  private var store: Store?
  /// What the store holds.
  private var stored: [AlarmID: AlarmRecord] = [:]

  /// Writes what has changed since the last time, and reads everything back.
  mutating func restored(
    _ records: [AlarmID: AlarmRecord],
    now: Now
  ) throws(StoreError) -> [AlarmRecord] {
    let store: Store
    if let open = self.store {
      store = open
    } else {
      store = try Store(.memory, bootID: "simulated")
    }
    self.store = store
    var changes = records.values.filter { stored[$0.alarm.id] != $0 }.map(StoreChange.save)
    changes += stored.keys.filter { records[$0] == nil }.map(StoreChange.delete)
    stored = records
    if !changes.isEmpty { store.commit(changes) }
    var restored: [AlarmRecord] = []
    _ = try store.load(wallNow: now.wall, bootNow: now.boot) { restored.append($0) }
    return restored.sorted {
      ($0.alarm.id.high, $0.alarm.id.low) < ($1.alarm.id.high, $1.alarm.id.low)
    }
  }
}

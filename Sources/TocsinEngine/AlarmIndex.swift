import TocsinModel

/// Finds an alarm's slot by its identity: open addressing over slot numbers, about 8 bytes an alarm.
///
/// The identities themselves stand in the entries, which each call is given; a `Dictionary` would hold
/// them a second time.
struct AlarmIndex: Sendable {
  /// Slot numbers, or -1; a power of two of them, at most three quarters used.
  private var buckets: [Int32] = []
  private(set) var count = 0

  func slot(of id: AlarmID, in entries: [Entry]) -> Int32? {
    guard !buckets.isEmpty else { return nil }
    var bucket = home(of: id)
    while buckets[bucket] >= 0 {
      if entries[Int(buckets[bucket])].id == id { return buckets[bucket] }
      bucket = next(bucket)
    }
    return nil
  }

  /// Adds a slot whose entry is in place and whose identity is new.
  mutating func insert(_ slot: Int32, in entries: [Entry]) {
    if (count + 1) * 4 > buckets.count * 3 { grow(to: max(16, buckets.count * 2), entries) }
    place(slot, in: entries)
    count += 1
  }

  /// Removes a slot whose entry is still in place.
  mutating func remove(_ slot: Int32, in entries: [Entry]) {
    guard !buckets.isEmpty else { return }
    var hole = home(of: entries[Int(slot)].id)
    while buckets[hole] != slot {
      guard buckets[hole] >= 0 else { return }
      hole = next(hole)
    }
    count -= 1
    // What was pushed past the hole moves back, so that no search ends too early.
    var bucket = next(hole)
    while buckets[bucket] >= 0 {
      let home = home(of: entries[Int(buckets[bucket])].id)
      let distance = (bucket - home) & (buckets.count - 1)
      if distance >= (bucket - hole) & (buckets.count - 1) {
        buckets[hole] = buckets[bucket]
        hole = bucket
      }
      bucket = next(bucket)
    }
    buckets[hole] = -1
  }

  /// Makes room for that many alarms at once.
  mutating func reserve(_ capacity: Int, in entries: [Entry]) {
    var size = 16
    while capacity * 4 > size * 3 { size *= 2 }
    if size > buckets.count { grow(to: size, entries) }
  }

  private mutating func grow(to size: Int, _ entries: [Entry]) {
    let old = buckets
    buckets = [Int32](repeating: -1, count: size)
    for slot in old where slot >= 0 { place(slot, in: entries) }
  }

  private mutating func place(_ slot: Int32, in entries: [Entry]) {
    var bucket = home(of: entries[Int(slot)].id)
    while buckets[bucket] >= 0 { bucket = next(bucket) }
    buckets[bucket] = slot
  }

  /// Hashed with the process's seed: whoever chooses identities cannot make them collide.
  private func home(of id: AlarmID) -> Int { id.hashValue & (buckets.count - 1) }
  private func next(_ bucket: Int) -> Int { (bucket + 1) & (buckets.count - 1) }
}

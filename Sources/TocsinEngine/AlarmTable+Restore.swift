import TocsinModel
import TocsinTime

/// How alarms come back after a restart, and what goes to disk for it.
extension AlarmTable {
  /// Makes room before many records are restored.
  package mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count)
    index.reserve(count, in: entries)
    wallHeap.reserve(count)
  }

  /// Takes a record of an earlier run back in; call `handle(.started)` after the last.
  ///
  /// - Parameter record: deadlines on the clock since boot are already those of this boot.
  package mutating func restore(_ record: AlarmRecord) {
    var entry = Entry(record.alarm)
    entry.nextDate = record.nextDate
    entry.lastRing = record.lastRing
    entry.skips = record.skips
    entry.serial = record.serial
    entry.isRetired = record.isRetired
    if record.isRetired { retiredCount += 1 }
    if let activity = record.activity {
      seq += 1
      entry.active = Entry.Active(
        activity,
        seq: seq,
        isFromEarlierBoot: record.isFromEarlierBoot
      )
    }
    switch entry.rule {
    case .fixed(let instant):
      // What is under way may be left over from the time before an edit.
      if entry.isEnabled, entry.activity?.origin != instant { entry.due = instant.microseconds }
    case .timer: break
    default: entry.due = resolvedDue(of: entry) ?? Entry.never
    }
    settle(insert(entry, title: record.alarm.title))
  }

  /// What goes to disk about an entry.
  func record(of entry: Entry) -> AlarmRecord {
    var record = AlarmRecord(alarm: alarm(of: entry))
    record.nextDate = entry.nextDate
    record.lastRing = entry.lastRing
    record.skips = entry.skips
    record.serial = entry.serial
    record.isRetired = entry.isRetired
    record.activity = entry.activity
    return record
  }

  /// Shows again what was under way, and ends what should have ended meanwhile.
  ///
  /// An alert whose time to ring is over went unheard while the daemon was down, so within the grace it
  /// rings anew. A timer whose alarm never came to count begins to.
  mutating func started(now: Now) {
    for slot in activeSlots.sorted() {
      guard let active = entries[Int(slot)].active else { continue }
      var activity = active.activity
      if case .alerting(var alert) = activity.phase, let end = alert.end {
        let over = now.boot - (end.boot ?? now.boot)
        if over > rules.lateGrace {
          miss(slot, due: activity.due, origin: activity.origin, reason: .late, now: now)
          finish(slot, .missed, now: now)
          continue
        }
        if over >= 0 {
          alert.end = self.alert(for: entries[Int(slot)], late: 0, now: now).end
          activity.phase = .alerting(alert)
        }
      }
      if !isOver(activity, now: now) {
        present(
          activity,
          slot,
          isResumed: true,
          isFromEarlierBoot: active.isFromEarlierBoot && !isClockSynchronised
        )
      }
      if activity != active.activity || active.isFromEarlierBoot {
        commit(slot)
      } else {
        settle(slot)
      }
    }
    for slot in occupiedSlots() where entries[Int(slot)].needsArming {
      arm(slot, after: now.wall)
      commit(slot)
    }
    rearmAfterAbsence(now: now)
  }

  /// The instant of the date an entry waits for, in the zone as it is now.
  private func resolvedDue(of entry: Entry) -> Int64? {
    guard entry.isEnabled, let wall = entry.rule.wall, let date = entry.nextDate,
      let zone = zones.zone(for: wall)
    else { return nil }
    return zone.resolve(date, wall.time).instant.microseconds
  }
}

extension Entry {
  /// Whether a series was left without a next time, which only a lost or foreign record can bring.
  var needsArming: Bool {
    isEnabled && !isRetired && rule.isRepeating && isSpent
  }
}

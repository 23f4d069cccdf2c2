import TocsinModel
import TocsinTime

/// What becomes of alarms when the wall clock or the time zone changes under them.
extension AlarmTable {
  /// The wall clock was set by `step` microseconds.
  ///
  /// Forward, alarms that were passed over are late or missed like any other. Back, one that rang on a
  /// trusted clock does not ring again, and one that rang on an untrusted clock is void.
  mutating func clockStepped(by step: Int64, now: Now) {
    for slot in activeSlots.sorted() {
      guard let active = entries[Int(slot)].active else { continue }
      // A count restored after a reboot is known by the wall clock only, and that was wrong until now.
      let activity =
        active.isFromEarlierBoot
        ? active.activity.anchored(now: now) : active.activity.moved(now: now)
      if !activity.isTrusted, activity.origin > now.wall {
        void(slot, activity, now: now)
      } else if activity.isBeforeAlarm, let total = activity.total,
        activity.due.microseconds - total > now.wall.microseconds
      {
        withdrawPreAlert(slot, activity)
      } else if case .countdown = activity.phase, !isOver(activity, now: now) {
        present(
          activity,
          slot,
          isResumed: active.isResumed,
          isFromEarlierBoot: active.isFromEarlierBoot
        )
      } else {
        entries[Int(slot)].active = Entry.Active(
          activity,
          seq: active.seq,
          isFromEarlierBoot: active.isFromEarlierBoot,
          isResumed: active.isResumed
        )
      }
      commit(slot)
    }
    guard step < 0 else { return }
    for slot in occupiedSlots() {
      forgetRingAhead(slot, now: now)
      let entry = entries[Int(slot)]
      if entry.isRetired, entry.due > now.wall.microseconds {
        bringBack(slot, now: now)
      } else if entry.awaitsWallTime {
        rearm(slot, after: now.wall)
      }
    }
  }

  /// What rang more than a day ahead of now rang on a clock that was wrong, whatever was thought of it then.
  ///
  /// Else an alarm would be silent until its last date comes again, which may take years.
  private mutating func forgetRingAhead(_ slot: Int32, now: Now) {
    guard let last = entries[Int(slot)].lastRing, last.isAhead(of: now.wall) else { return }
    entries[Int(slot)].lastRing = nil
    commit(slot)
  }

  /// Finds times anew that were found before the daemon ended, as the clock may have been set back since.
  ///
  /// What came due meanwhile stays so. By a clock that is not to be trusted yet, such as one that stands where
  /// the machine was switched off, times would be found that are over, and told as missed once it is right.
  mutating func rearmAfterAbsence(now: Now) {
    guard isClockSynchronised else { return }
    for slot in occupiedSlots() {
      forgetRingAhead(slot, now: now)
      let entry = entries[Int(slot)]
      guard entry.awaitsWallTime, entry.due != Entry.never, entry.due > now.wall.microseconds
      else { continue }
      rearm(slot, after: now.wall)
    }
  }

  /// The clock came to be trusted, or no longer is.
  mutating func clockSynchronised(_ isSynchronised: Bool, now: Now) {
    isClockSynchronised = isSynchronised
    synchronisedAt = now.boot
    guard isSynchronised else { return }
    for slot in activeSlots {
      guard let active = entries[Int(slot)].active, active.isFromEarlierBoot else { continue }
      entries[Int(slot)].active = Entry.Active(active.activity, seq: active.seq)
    }
  }

  /// Lets a one-shot that rang on a wrong clock wait for its real time, in the zone as it is now.
  private mutating func bringBack(_ slot: Int32, now: Now) {
    let retired = entries[Int(slot)]
    entries[Int(slot)].isRetired = false
    arm(slot, after: now.wall)
    guard !entries[Int(slot)].isSpent else {
      entries[Int(slot)] = retired
      return
    }
    retiredCount -= 1
    commit(slot)
  }

  /// What rang and was stopped on a clock that proved right is over.
  ///
  /// Not in the moment in which it proves so: the step that puts it right may be told just after.
  mutating func forgetRetired() {
    for slot in occupiedSlots() where entries[Int(slot)].isRetired { forget(slot) }
  }

  /// The machine's zone, or the rules of any zone, changed: what was said stays, its instants move.
  ///
  /// A move of the local time past an alarm is no reason to ring: it was not due while we were away.
  mutating func zoneChanged(to zone: Zone?, now: Now) {
    processDue(now: now)
    zones.local = zone
    for slot in occupiedSlots() {
      let entry = entries[Int(slot)]
      guard entry.isEnabled, !entry.isRetired, let wall = entry.rule.wall else { continue }
      if let activity = entry.activity, activity.isBeforeAlarm,
        instant(of: activity.date, wall) != activity.due
      {
        withdrawPreAlert(slot, activity)
      }
      guard !entries[Int(slot)].isSpent else { continue }
      guard zones.zone(for: wall) != nil else {
        // Without rules there is no wall time; the date is kept for when they return.
        entries[Int(slot)].due = Entry.never
        settle(slot)
        continue
      }
      rearm(slot, after: now.wall)
      if entries[Int(slot)].isSpent, entry.active == nil {
        let due = entry.dueInstant ?? now.wall
        miss(slot, due: due, origin: due, reason: .zone, now: now)
        forget(slot)
      }
    }
  }

  /// The instant of a date in the zone as it is now.
  private func instant(of date: CivilDate?, _ wall: WallSchedule) -> Instant? {
    guard let date, let zone = zones.zone(for: wall) else { return nil }
    return zone.resolve(date, wall.time).instant
  }

  private mutating func rearm(_ slot: Int32, after instant: Instant) {
    let old = entries[Int(slot)]
    arm(slot, after: instant)
    if old.due != entries[Int(slot)].due || old.nextDate != entries[Int(slot)].nextDate {
      commit(slot)
    }
  }

  /// Takes back a countdown towards a time that moved away again.
  private mutating func withdrawPreAlert(_ slot: Int32, _ activity: Activity) {
    clear(slot, .clock)
    entries[Int(slot)].active = nil
    entries[Int(slot)].serial += 1
    entries[Int(slot)].due = activity.due.microseconds
    entries[Int(slot)].nextDate = activity.date
    settle(slot)
  }

  /// Takes back a ring, or the snooze after it, that began on a wrong clock; its time is still to come.
  private mutating func void(_ slot: Int32, _ activity: Activity, now: Now) {
    note(.ended, entries[Int(slot)], now: now, detail: "rang on a clock that was wrong")
    clear(slot, .clock)
    entries[Int(slot)].active = nil
    entries[Int(slot)].serial += 1
    entries[Int(slot)].due = activity.origin.microseconds
    entries[Int(slot)].nextDate = activity.date
  }

  /// All slots in use, in the order of their numbers.
  func occupiedSlots() -> [Int32] {
    entries.indices.lazy.filter { !entries[$0].isFree }.map { Int32($0) }
  }
}

extension Entry {
  /// Whether its schedule has nothing more to come.
  var isSpent: Bool { due == Entry.never && nextDate == nil }

  /// Whether clock and zone decide when it comes next.
  fileprivate var awaitsWallTime: Bool {
    isEnabled && !isRetired && rule.wall != nil && !isSpent
  }

  /// When its schedule is due next.
  var dueInstant: Instant? { due == Entry.never ? nil : Instant(microseconds: due) }
}

import TocsinModel
import TocsinTime

/// What the passing of time brings: due alarms, late ones, ended countdowns, unanswered alerts.
extension AlarmTable {
  /// Handles all that is due at `now`, the more important first where several are due at once.
  mutating func processDue(now: Now) {
    var due: [Int32] = []
    repeat {
      due.removeAll(keepingCapacity: true)
      while let first = bootHeap.first, first.key <= now.boot {
        due.append(first.slot)
        bootHeap.set(nil, for: first.slot)
      }
      if isClockTrusted(now: now) {
        while let first = wallHeap.first, first.key <= now.wall.microseconds {
          due.append(first.slot)
          wallHeap.set(nil, for: first.slot)
        }
      }
      if due.count > 1 { due.sort { isEarlier($0, $1, now: now) } }
      for slot in due where !entries[Int(slot)].isFree {
        advance(slot, now: now)
      }
    } while !due.isEmpty
  }

  /// By the instant due, then by priority, then by identity so that the order is always the same.
  private func isEarlier(_ one: Int32, _ other: Int32, now: Now) -> Bool {
    let (first, second) = (entries[Int(one)], entries[Int(other)])
    let (mine, theirs) = (dueKey(first, now: now), dueKey(second, now: now))
    if mine != theirs { return mine < theirs }
    if first.priority != second.priority { return first.priority > second.priority }
    return (first.id.high, first.id.low) < (second.id.high, second.id.low)
  }

  private func dueKey(_ entry: Entry, now: Now) -> Int64 {
    let boot = entry.bootDeadline.map { $0 + now.offset } ?? .max
    return min(boot, entry.wallDeadline ?? .max)
  }

  /// Whether it is a countdown whose end is over, so that something else follows at once.
  func isOver(_ activity: Activity, now: Now) -> Bool {
    guard case .countdown(let countdown) = activity.phase else { return false }
    guard let end = countdown.end.boot else {
      return countdown.end.wall <= now.wall && isClockTrusted(now: now)
    }
    return end <= now.boot
  }

  private mutating func advance(_ slot: Int32, now: Now) {
    let entry = entries[Int(slot)]
    if let activity = entry.activity {
      switch activity.phase {
      case .countdown(let countdown):
        let late =
          countdown.end.boot.map { now.boot - $0 }
          ?? (now.wall.microseconds - countdown.end.wall.microseconds)
        if late >= 0 {
          endCountdown(slot, activity, late: late, now: now)
          return settleIfKept(slot, entry.id)
        }
      case .alerting(let alert):
        if let end = alert.end?.boot, end <= now.boot {
          endUnanswered(slot, activity, over: now.boot - end, now: now)
          return settleIfKept(slot, entry.id)
        }
      case .paused: break
      }
    }
    if entry.isEnabled, entry.due <= now.wall.microseconds {
      becomeDue(slot, now: now)
    } else if entry.isEnabled, entry.activity == nil, entry.due != Entry.never,
      entry.due - entry.preAlert <= now.wall.microseconds
    {
      beginPreAlert(slot, now: now)
    }
    settleIfKept(slot, entry.id)
  }

  private mutating func settleIfKept(_ slot: Int32, _ id: AlarmID) {
    if holds(id, at: slot) { settle(slot) }
  }

  // MARK: - The schedule

  private mutating func becomeDue(_ slot: Int32, now: Now) {
    var entry = entries[Int(slot)]
    var (due, date) = (entry.dueInstant ?? now.wall, entry.nextDate)
    if entry.rule.isRepeating, let wall = entry.rule.wall, let zone = zones.zone(for: wall),
      let latest = wall.latest(
        atOrBefore: now.wall,
        after: due,
        in: zone,
        afterDate: entry.nextDate
      )
    {
      // Several were passed over: only the last is told of.
      (due, date) = (latest.instant, latest.date)
    }
    let late = now.wall.microseconds - due.microseconds
    if entry.activity != nil {
      // The next occurrence takes the place of one that is snoozed, halted or still ringing.
      note(.ended, entry, now: now, detail: "merged with the next occurrence")
      clear(slot, .merged)
      entry.active = nil
      entry.serial += 1
    }
    // What is missed did not ring, so a clock set back to before it lets it ring.
    if isClockSynchronised, late <= rules.lateGrace {
      entry.lastRing = LastRing(date, at: now.wall)
    }
    if let skips = entry.skips, let date, skips.daysSince1970 < date.daysSince1970 {
      entry.skips = nil
    }
    entries[Int(slot)] = entry
    armNext(slot, after: max(now.wall, due))
    if late > rules.lateGrace {
      miss(slot, due: due, origin: due, reason: .late, now: now)
      finishMissed(slot)
    } else {
      let activity = Activity(
        origin: due,
        date: date,
        due: due,
        phase: .alerting(alert(for: entry, late: late, now: now))
      )
      alert(slot, activity, now: now)
    }
  }

  /// The countdown before an alarm; its end stays a time of the wall clock.
  private mutating func beginPreAlert(_ slot: Int32, now: Now) {
    let entry = entries[Int(slot)]
    guard let due = entry.dueInstant else { return }
    let countdown = Activity.Countdown(
      start: Instant(microseconds: due.microseconds - entry.preAlert),
      end: Activity.Deadline(wall: due, boot: nil),
      total: entry.preAlert,
      elapsed: 0,
      isSnooze: false
    )
    let activity = Activity(
      origin: due,
      date: entry.nextDate,
      due: due,
      phase: .countdown(countdown)
    )
    armNext(slot, after: due)
    present(activity, slot)
    commit(slot)
  }

  /// Finds the time after one that was used up; a one-shot has none.
  private mutating func armNext(_ slot: Int32, after instant: Instant) {
    guard entries[Int(slot)].rule.isRepeating else {
      entries[Int(slot)].due = Entry.never
      entries[Int(slot)].nextDate = nil
      return
    }
    let next = nextOccurrence(of: entries[Int(slot)], after: instant)
    entries[Int(slot)].due = next?.instant.microseconds ?? Entry.never
    entries[Int(slot)].nextDate = next?.date
  }

  // MARK: - Alerts

  private mutating func endCountdown(
    _ slot: Int32,
    _ activity: Activity,
    late: Int64,
    now: Now
  ) {
    if late > rules.lateGrace {
      miss(slot, due: activity.due, origin: activity.origin, reason: .late, now: now)
      clear(slot, .missed)
      finishMissed(slot)
      return
    }
    var next = activity
    // The first ring of a time on the clock, even if the countdown to it was halted on the way.
    let isWallAlert = entries[Int(slot)].rule != .timer && !activity.hasRung
    if isWallAlert, isClockSynchronised {
      entries[Int(slot)].lastRing = LastRing(activity.date, at: now.wall)
    }
    next.phase = .alerting(alert(for: entries[Int(slot)], late: late, now: now))
    alert(slot, next, isWallAlert: isWallAlert, now: now)
  }

  private mutating func alert(
    _ slot: Int32,
    _ activity: Activity,
    isWallAlert: Bool = true,
    now: Now
  ) {
    var activity = activity
    if isWallAlert { activity.isTrusted = isClockSynchronised }
    present(activity, slot)
    note(.fired, entries[Int(slot)], now: now)
    commit(slot)
  }

  func alert(for entry: Entry, late: Int64, now: Now) -> Activity.Alert {
    let length = entry.chosen?.options.ringFor.map(microseconds) ?? rules.ringFor
    return Activity.Alert(
      fired: now.wall,
      late: late,
      end: length > 0 ? now.deadline(after: length) : nil
    )
  }

  /// Nobody answered: an alarm snoozes itself a few times, then it is missed; a timer just ends.
  ///
  /// The snooze counts from the end of the ring, which may lie back if the machine slept through it.
  mutating func endUnanswered(_ slot: Int32, _ activity: Activity, over: Int64, now: Now) {
    let entry = entries[Int(slot)]
    guard entry.kind == .alarm else {
      note(.unanswered, entry, now: now)
      return finish(slot, .unanswered, now: now)
    }
    if activity.autoSnoozes < entry.chosen?.options.autoSnooze ?? rules.autoSnooze {
      var next = activity
      next.autoSnoozes += 1
      beginSnooze(
        next,
        slot,
        length: snoozeLength(entry),
        source: nil,
        since: Now(wall: now.wall.advanced(byMicroseconds: -over), boot: now.boot - over),
        now: now
      )
    } else {
      miss(slot, due: activity.origin, origin: activity.origin, reason: .unanswered, now: now)
      finish(slot, .missed, now: now)
    }
  }

  mutating func miss(
    _ slot: Int32,
    due: Instant,
    origin: Instant,
    reason: MissedReason,
    now: Now
  ) {
    let entry = entries[Int(slot)]
    seq += 1
    effects.append(
      .miss(
        SinkMessage.Missed(
          seq: seq,
          occurrence: entry.occurrence(from: origin),
          title: titles[entry.title],
          due: due,
          reason: reason
        ),
        subject(.missed, entry)
      )
    )
    effects.append(
      .record(
        HistoryEntry(
          at: now.wall,
          alarm: entry.id,
          occurrence: entry.occurrence(from: origin),
          application: entry.application,
          title: titles[entry.title],
          event: .missed,
          due: due,
          detail: reason.rawValue
        )
      )
    )
  }

  /// Ends an occurrence that never rang.
  private mutating func finishMissed(_ slot: Int32) {
    entries[Int(slot)].active = nil
    entries[Int(slot)].serial += 1
    if entries[Int(slot)].due == Entry.never { forget(slot) } else { commit(slot) }
  }

  // MARK: - Ends

  /// Ends the occurrence under way: a series goes on, a one-shot is gone.
  mutating func finish(_ slot: Int32, _ reason: ClearReason, source: String? = nil, now: Now) {
    let entry = entries[Int(slot)]
    guard let activity = entry.activity else { return }
    clear(slot, reason, source: source)
    entries[Int(slot)].active = nil
    entries[Int(slot)].serial += 1
    if entry.due != Entry.never || reason == .cancelled {
      commit(slot)
    } else if activity.isTrusted || isClockSynchronised {
      forget(slot)
    } else {
      // It rang on a clock that may prove wrong; until that is known it is kept out of sight.
      entries[Int(slot)].due = activity.origin.microseconds
      entries[Int(slot)].nextDate = activity.date
      entries[Int(slot)].isRetired = true
      retiredCount += 1
      commit(slot)
    }
  }

  mutating func forget(_ slot: Int32) {
    let id = entries[Int(slot)].id
    remove(slot)
    effects.append(.delete(id))
  }
}

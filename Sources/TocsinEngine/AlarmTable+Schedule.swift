import TocsinModel
import TocsinTime

extension AlarmTable {
  /// Accepts a new alarm, or says why not.
  mutating func schedule(_ alarm: Alarm, source: String, now: Now) {
    if let error = refusal(of: alarm, now: now) {
      effects.append(.reject(error))
      return
    }
    if let slot = slot(of: alarm.id) {
      guard entries[Int(slot)].isRetired else {
        effects.append(
          .reject(ServiceError(.duplicate, "there is an alarm \(alarm.id) already"))
        )
        return
      }
      remove(slot)
    }
    guard count < rules.alarmLimit else {
      effects.append(
        .reject(
          ServiceError(
            .limitReached,
            "there are \(count) alarms, as many as alarm-limit allows: cancel one or raise it"
          )
        )
      )
      return
    }
    let slot = insert(Entry(alarm), title: alarm.title)
    if alarm.isEnabled { begin(slot, now: now) }
    guard alarm.kind == .timer || !alarm.isEnabled || entries[Int(slot)].due != Entry.never
    else {
      remove(slot)
      effects.append(.reject(ServiceError(.past, "this time will not come any more")))
      return
    }
    note(
      .scheduled,
      entries[Int(slot)],
      now: now,
      due: entries[Int(slot)].dueInstant,
      source: source
    )
    commit(slot)
    effects.append(.accept(status(of: entries[Int(slot)])))
  }

  /// Replaces an alarm; what rings goes on, what counts follows the new length.
  mutating func update(_ alarm: Alarm, source: String, now: Now) {
    guard let slot = slot(of: alarm.id), !entries[Int(slot)].isRetired else {
      effects.append(.reject(.noSuchAlarm(alarm.id.description)))
      return
    }
    let old = entries[Int(slot)]
    var new = Entry(alarm)
    if let error = refusal(of: alarm, now: now) {
      // A fixed time is over once it rings; all but the time can still be changed then.
      guard error.code == .past, old.active != nil, new.rule == old.rule else {
        effects.append(.reject(error))
        return
      }
    }
    new.title = old.title
    new.active = old.active
    new.serial = old.serial
    new.due = old.due
    new.nextDate = old.nextDate
    new.lastRing = old.lastRing
    new.skips = old.skips
    let isNewRule = new.rule != old.rule || new.preAlert != old.preAlert
    if isNewRule { (new.due, new.nextDate) = (Entry.never, nil) }
    // A new schedule has not rung yet, and a skip was meant for the old one.
    if new.rule != old.rule { (new.lastRing, new.skips) = (nil, nil) }
    entries[Int(slot)] = new
    if new.rule != .timer, isNewRule || !old.isEnabled, alarm.isEnabled,
      nextOccurrence(of: new, after: now.wall) == nil
    {
      entries[Int(slot)] = old
      effects.append(.reject(ServiceError(.past, "this time will not come any more")))
      return
    }
    setTitle(alarm.title, slot)
    zoneUses.add(new.rule.zone)
    zoneUses.remove(old.rule.zone)
    let seqBefore = seq
    if old.isEnabled && !alarm.isEnabled { disable(slot, source: source) }
    if isNewRule, alarm.isEnabled { adoptNewRule(slot, old: old, now: now) }
    if !old.isEnabled && alarm.isEnabled && !isNewRule { begin(slot, now: now) }
    if seq == seqBefore, let activity = entries[Int(slot)].activity { present(activity, slot) }
    note(.updated, entries[Int(slot)], now: now, due: entries[Int(slot)].dueInstant, source: source)
    commit(slot)
    effects.append(.accept(status(of: entries[Int(slot)])))
  }

  /// Undoes the acceptance of an alarm that could not be stored.
  mutating func revoke(_ id: AlarmID) {
    guard let slot = slot(of: id) else { return }
    clear(slot, .refused)
    remove(slot)
  }

  /// Starts a timer, or finds the time of a schedule.
  mutating func begin(_ slot: Int32, now: Now) {
    if entries[Int(slot)].rule == .timer {
      beginTimer(slot, now: now)
    } else {
      arm(slot, after: now.wall)
    }
  }

  /// Starts a timer's countdown.
  mutating func beginTimer(_ slot: Int32, now: Now) {
    let total = entries[Int(slot)].preAlert
    let end = now.deadline(after: total)
    let countdown = Activity.Countdown(
      start: now.wall,
      end: end,
      total: total,
      elapsed: 0,
      isSnooze: false
    )
    present(
      Activity(origin: now.wall, date: nil, due: end.wall, phase: .countdown(countdown)),
      slot
    )
    settle(slot)
  }

  /// Finds the next time of a schedule strictly after an instant, or at it for a fixed one.
  mutating func arm(_ slot: Int32, after instant: Instant) {
    let entry = entries[Int(slot)]
    if case .fixed(let fixed) = entry.rule {
      entries[Int(slot)].due = fixed >= instant ? fixed.microseconds : Entry.never
    } else {
      let next = nextOccurrence(of: entry, after: instant)
      entries[Int(slot)].due = next?.instant.microseconds ?? Entry.never
      entries[Int(slot)].nextDate = next?.date
    }
    settle(slot)
  }

  /// The next occurrence of a schedule; left out are the date to skip, dates that rang already, and
  /// the one that it counts down to.
  func nextOccurrence(of entry: Entry, after instant: Instant) -> Occurrence? {
    if case .fixed(let fixed) = entry.rule {
      return fixed >= instant
        ? Occurrence(instant: fixed, date: CivilDate(daysSince1970: 0), shift: .none) : nil
    }
    guard let wall = entry.rule.wall, let zone = zones.zone(for: wall) else { return nil }
    var taken = entry.lastRing?.date
    if let activity = entry.activity, !activity.hasRung, let date = activity.date {
      taken = max(taken ?? date, date)
    }
    let next = wall.next(after: instant, in: zone, afterDate: taken)
    guard let next, let skips = entry.skips, next.date == skips else { return next }
    return wall.next(after: instant, in: zone, afterDate: skips)
  }

  private mutating func adoptNewRule(_ slot: Int32, old: Entry, now: Now) {
    let entry = entries[Int(slot)]
    guard let activity = entry.activity else { return begin(slot, now: now) }
    let isOtherKind = (entry.rule == .timer) != (old.rule == .timer)
    if !activity.hasRung || isOtherKind {
      if entry.rule == .timer, old.rule == .timer {
        present(activity.lengthened(to: entry.preAlert, now: now), slot)
        return
      }
      // The countdown led to a time that is not meant any more; an alarm made a timer begins as one.
      finish(slot, .cancelled, now: now)
      return begin(slot, now: now)
    }
    if entry.rule != .timer { arm(slot, after: now.wall) }
  }
}

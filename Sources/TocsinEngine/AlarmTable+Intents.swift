import TocsinModel
import TocsinTime

extension AlarmTable {
  /// Who acts on alarms.
  struct Asker {
    /// The name history knows them by.
    var source: String
    /// The program; nil for a person, with whatever they press.
    var application: String?
  }

  /// Carries an intent out on each alarm it means; a stale or impossible one changes nothing.
  mutating func perform(_ intent: Intent, from asker: Asker, now: Now) {
    if let duration = intent.duration, !(abs(duration) <= AlarmLimits.countdownSeconds) {
      effects.append(.reject(ServiceError(.invalid, "the duration is over 400 days")))
      return
    }
    switch slots(for: intent) {
    case .failure(let error):
      effects.append(.reject(error))
    case .success(let slots):
      for slot in slots { perform(intent, on: slot, from: asker, now: now) }
    }
  }

  private mutating func perform(_ intent: Intent, on slot: Int32, from asker: Asker, now: Now) {
    let entry = entries[Int(slot)]
    let title = titles[entry.title]
    if let refusal = act(intent, on: slot, entry, source: asker.source, now: now) {
      effects.append(.reject(refusal))
      return
    }
    owe(intent.action, entry, title, asker, now: now)
    if holds(entry.id, at: slot) {
      effects.append(.accept(status(of: entries[Int(slot)])))
    } else {
      // It is gone: what it was, and that it does not ring again.
      var last = status(of: entry)
      last.next = nil
      last.scheduled = nil
      last.note = nil
      effects.append(.accept(last))
    }
  }

  /// Does what an intent asks; why it cannot be done if so.
  private mutating func act(
    _ intent: Intent,
    on slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    switch intent.action {
    case .stop: stop(slot, entry, source: source, now: now)
    case .snooze: snooze(slot, entry, for: intent.duration, source: source, now: now)
    case .pause: pause(slot, entry, source: source, now: now)
    case .resume: resume(slot, entry, source: source, now: now)
    case .secondary: secondary(slot, entry, source: source, now: now)
    case .cancel: cancel(slot, entry, source: source, now: now)
    case .skip: skip(slot, entry, undo: intent.undo, source: source, now: now)
    case .enable: enable(slot, entry, source: source, now: now)
    case .disable: disable(slot, entry, source: source, now: now)
    case .extend: extend(slot, entry, by: intent.duration, source: source, now: now)
    case .restart: restart(slot, entry, source: source, now: now)
    }
  }

  private mutating func stop(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard entry.activity != nil else {
      return wrongState(entry, "does not ring or count: cancel deletes it")
    }
    note(.stopped, entry, now: now, source: source)
    finish(slot, .stopped, source: source, now: now)
    return nil
  }

  private mutating func snooze(
    _ slot: Int32,
    _ entry: Entry,
    for duration: Double?,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard let activity = entry.activity, activity.isAlerting else {
      if let activity = entry.activity, activity.isSnooze {
        return wrongState(entry, "is snoozed already, until \(activity.due.rfc3339)")
      }
      return wrongState(entry, "does not ring")
    }
    if let limit = entry.chosen?.options.snoozeLimit ?? rules.snoozeLimit, activity.snoozes >= limit
    {
      return wrongState(entry, "may not be snoozed again: its limit is \(limit)")
    }
    if let duration, duration <= 0 {
      return ServiceError(.invalid, "a snooze takes longer than 0 s")
    }
    var next = activity
    next.snoozes += 1
    next.autoSnoozes = 0
    beginSnooze(
      next,
      slot,
      length: duration.map(microseconds) ?? snoozeLength(entry),
      source: source,
      since: now,
      now: now
    )
    return nil
  }

  /// Counts from the press, whenever the alert was due.
  mutating func beginSnooze(
    _ activity: Activity,
    _ slot: Int32,
    length: Int64,
    source: String?,
    since start: Now,
    now: Now
  ) {
    note(.snoozed, entries[Int(slot)], now: now, source: source)
    let snooze = activity.counting(total: length, elapsed: 0, isSnooze: true, now: start)
    if isOver(snooze, now: now) {
      entries[Int(slot)].active = Entry.Active(snooze, seq: seq)
    } else {
      present(snooze, slot)
    }
    commit(slot)
  }

  /// AlarmKit's rule: the post-alert duration, without one the pre-alert one, else our default.
  func snoozeLength(_ entry: Entry) -> Int64 {
    if let post = entry.extras?.postAlert { return microseconds(post) }
    return entry.preAlert > 0 ? entry.preAlert : rules.snooze
  }

  private mutating func pause(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard var activity = entry.activity, case .countdown(let countdown) = activity.phase else {
      return wrongState(entry, entry.state == .paused ? "is paused already" : "does not count")
    }
    activity.phase = .paused(
      total: countdown.total,
      elapsed: activity.elapsed(now: now),
      isSnooze: countdown.isSnooze
    )
    note(.paused, entry, now: now, source: source)
    present(activity, slot)
    commit(slot)
    return nil
  }

  private mutating func resume(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard let activity = entry.activity,
      case .paused(let total, let elapsed, let isSnooze) = activity.phase
    else { return wrongState(entry, "is not paused") }
    note(.resumed, entry, now: now, source: source)
    present(
      activity.counting(total: total, elapsed: elapsed, isSnooze: isSnooze, now: now),
      slot
    )
    commit(slot)
    return nil
  }

  private mutating func extend(
    _ slot: Int32,
    _ entry: Entry,
    by duration: Double?,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard let duration else { return ServiceError(.badRequest, "extend needs a duration") }
    guard let activity = entry.activity, let total = activity.total else {
      return wrongState(entry, "does not count")
    }
    note(.extended, entry, now: now, source: source, detail: "by \(duration) s")
    present(activity.lengthened(to: total + microseconds(duration), now: now), slot)
    commit(slot)
    return nil
  }

  private mutating func restart(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard let activity = entry.activity, entry.rule == .timer else {
      return wrongState(entry, "is not a timer that runs")
    }
    note(.extended, entry, now: now, source: source, detail: "begun again")
    var again = activity.counting(total: entry.preAlert, elapsed: 0, isSnooze: false, now: now)
    if activity.isAlerting || activity.isSnooze {
      // What rang is over; the count to come is an occurrence of its own.
      clear(slot, .stopped, source: source)
      entries[Int(slot)].serial += 1
      again.origin = now.wall
      (again.snoozes, again.autoSnoozes) = (0, 0)
    }
    present(again, slot)
    commit(slot)
    return nil
  }

  private mutating func secondary(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard entry.hasCustomButton else {
      return snooze(slot, entry, for: nil, source: source, now: now)
    }
    guard let activity = entry.activity, activity.isAlerting else {
      return wrongState(entry, "does not ring")
    }
    seq += 1
    effects.append(
      .secondary(
        SinkMessage.Secondary(
          seq: seq,
          occurrence: entry.occurrence(from: activity.origin),
          source: source
        ),
        subject(.secondary, entry)
      )
    )
    return nil
  }

  private mutating func cancel(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    note(.cancelled, entry, now: now, source: source)
    clear(slot, .cancelled, source: source)
    remove(slot)
    effects.append(.delete(entry.id))
    return nil
  }

  private mutating func skip(
    _ slot: Int32,
    _ entry: Entry,
    undo: Bool,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard entry.rule.isRepeating else {
      return wrongState(entry, "rings only once: disable or cancel it")
    }
    if undo {
      guard let skips = entry.skips else { return wrongState(entry, "skips nothing") }
      entries[Int(slot)].skips = nil
      note(.skipped, entry, now: now, source: source, detail: "not \(skips) after all")
    } else {
      if let skips = entry.skips, isStillToCome(skips, entry, now: now) {
        return wrongState(entry, "skips \(skips) already")
      }
      // What it counts down to is its next time.
      let counted = entry.activity.flatMap { $0.hasRung ? nil : $0 }
      guard entry.isEnabled, let date = counted?.date ?? entry.nextDate else {
        return wrongState(entry, "has no next time to skip")
      }
      entries[Int(slot)].skips = date
      note(
        .skipped,
        entry,
        now: now,
        due: counted?.due ?? entry.dueInstant,
        source: source,
        detail: "\(date)"
      )
      if counted != nil {
        clear(slot, .stopped, source: source)
        entries[Int(slot)].active = nil
        entries[Int(slot)].serial += 1
      }
    }
    if entry.isEnabled { arm(slot, after: now.wall) }
    commit(slot)
    return nil
  }

  /// Whether a date that is skipped has its time still before it.
  private func isStillToCome(_ date: CivilDate, _ entry: Entry, now: Now) -> Bool {
    guard let wall = entry.rule.wall, let zone = zones.zone(for: wall) else { return true }
    return zone.resolve(date, wall.time).instant > now.wall
  }

  private mutating func enable(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard !entry.isEnabled else { return wrongState(entry, "is enabled") }
    entries[Int(slot)].isEnabled = true
    begin(slot, now: now)
    guard entry.rule == .timer || entries[Int(slot)].due != Entry.never else {
      entries[Int(slot)] = entry
      return ServiceError(.past, "its time will not come any more: give it another with edit")
    }
    note(.enabled, entry, now: now, due: entries[Int(slot)].dueInstant, source: source)
    commit(slot)
    return nil
  }

  private mutating func disable(
    _ slot: Int32,
    _ entry: Entry,
    source: String,
    now: Now
  ) -> ServiceError? {
    guard entry.isEnabled else { return wrongState(entry, "is disabled") }
    note(.disabled, entry, now: now, source: source)
    disable(slot, source: source)
    commit(slot)
    return nil
  }

  /// Silences an alarm and leaves it without a next time.
  mutating func disable(_ slot: Int32, source: String) {
    if entries[Int(slot)].active != nil {
      clear(slot, .disabled, source: source)
      entries[Int(slot)].active = nil
      entries[Int(slot)].serial += 1
    }
    entries[Int(slot)].isEnabled = false
    entries[Int(slot)].due = Entry.never
    entries[Int(slot)].nextDate = nil
    settle(slot)
  }
}

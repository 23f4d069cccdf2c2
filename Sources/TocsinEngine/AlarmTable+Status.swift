package import TocsinModel
package import TocsinTime

/// What can be asked of the table without changing it.
extension AlarmTable {
  /// One alarm by UUID, a unique beginning of it, or its title.
  package func status(named name: String) -> Result<AlarmStatus, ServiceError> {
    slot(named: name, for: nil).map { status(of: entries[Int($0)]) }
  }

  /// The alarm with this identity, if there is one.
  package func alarm(_ id: AlarmID) -> Alarm? {
    slot(of: id).flatMap { entries[Int($0)].isRetired ? nil : alarm(of: entries[Int($0)]) }
  }

  /// The alarm with this identity as it stands; nil if there is none.
  package func status(_ id: AlarmID) -> AlarmStatus? {
    slot(of: id).flatMap { entries[Int($0)].isRetired ? nil : status(of: entries[Int($0)]) }
  }

  /// Whether there is an alarm with this identity.
  package func contains(_ id: AlarmID) -> Bool {
    slot(of: id).map { !entries[Int($0)].isRetired } ?? false
  }

  /// The program that the alarm with this identity belongs to; nil if it is a person's own, or if there
  /// is none.
  package func application(of id: AlarmID) -> String? {
    slot(of: id).flatMap {
      entries[Int($0)].isRetired ? nil : entries[Int($0)].application
    }
  }

  /// The alarms a filter passes, the next to ring first, those that will not ring last.
  package func identities(_ filter: Request.ListFilter = Request.ListFilter()) -> [AlarmID] {
    var keyed = entries.compactMap { entry -> (key: Int64, id: AlarmID)? in
      if entry.isFree || entry.isRetired { return nil }
      if let state = filter.state, entry.state != state { return nil }
      guard entry.belongs(to: filter.application) else { return nil }
      return (entry.nextRing?.microseconds ?? Entry.never, entry.id)
    }
    keyed.sort {
      $0.key != $1.key
        ? $0.key < $1.key : ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low)
    }
    let limit = max(0, filter.limit ?? keyed.count)
    return keyed.prefix(limit).map(\.id)
  }

  /// The alarm that rings next; nil if none will.
  package var next: AlarmStatus? { next(of: nil) }

  /// The alarm of a program that rings next, or of all if it is nil; nil if none will.
  package func next(of application: String?) -> AlarmStatus? {
    var best: (at: Instant, slot: Int32)?
    for slot in visibleSlots() {
      guard entries[Int(slot)].belongs(to: application), entries[Int(slot)].state != .alerting,
        let at = entries[Int(slot)].nextRing
      else { continue }
      if best.map({ at < $0.at || (at == $0.at && slot < $0.slot) }) ?? true {
        best = (at, slot)
      }
    }
    return best.map { status(of: entries[Int($0.slot)]) }
  }

  /// The earliest thing that is due by the wall clock, at no cost.
  package var earliestDeadline: Instant? {
    wallHeap.first.map { Instant(microseconds: $0.key) }
  }

  /// What the next alert will look like, as far as can be said before it is due.
  package func preview(now: Now) -> Presentation? {
    guard let slot = (wallHeap.first ?? bootHeap.first)?.slot else { return nil }
    let entry = entries[Int(slot)]
    let due = entry.dueInstant ?? now.wall
    let activity = Activity(
      origin: due,
      date: entry.nextDate,
      due: due,
      phase: .alerting(alert(for: entry, late: 0, now: now))
    )
    return presentation(of: entry, Entry.Active(activity, seq: seq))
  }

  /// All that is presented now, the oldest event first.
  package var presentations: [Presentation] {
    activeSlots.compactMap { slot -> Presentation? in
      let entry = entries[Int(slot)]
      return entry.active.map { presentation(of: entry, $0) }
    }.sorted { $0.seq < $1.seq }
  }

  /// What is presented of an occurrence; nil if it is over.
  package func presentation(of occurrence: OccurrenceID) -> Presentation? {
    guard let slot = slot(of: occurrence.alarm), let active = entries[Int(slot)].active,
      entries[Int(slot)].occurrence(from: active.activity.origin) == occurrence
    else { return nil }
    return presentation(of: entries[Int(slot)], active)
  }

  func status(of entry: Entry) -> AlarmStatus {
    var status = AlarmStatus(alarm: alarm(of: entry), state: entry.state)
    status.next = entry.nextRing
    status.scheduled = entry.dueInstant
    status.skips = entry.skips
    if let activity = entry.activity {
      status.occurrence = entry.occurrence(from: activity.origin)
      status.due = activity.due
      status.countdown = countdown(of: activity)
    }
    if let wall = entry.rule.wall, let date = entry.nextDate, let zone = zones.zone(for: wall) {
      status.note = WallSchedule(time: wall.time, days: .on(date), zone: wall.zone)
        .occurrence(on: date, in: zone)?.shift.note(wall.time)
    }
    return status
  }

  func presentation(of entry: Entry, _ active: Entry.Active) -> Presentation {
    let activity = active.activity
    var presentation = Presentation(
      seq: active.seq,
      occurrence: entry.occurrence(from: activity.origin),
      title: title(of: entry, activity),
      kind: entry.kind,
      state: entry.state,
      due: activity.due,
      snoozes: Int(activity.snoozes) + Int(activity.autoSnoozes),
      countdown: countdown(of: activity),
      buttons: buttons(for: entry, activity)
    )
    if let options = entry.extras?.options { presentation.sharedOptions = options.shown }
    presentation.resumed = active.isResumed ? true : nil
    presentation.autoSnoozes = Int(activity.autoSnoozes)
    switch activity.phase {
    case .alerting(let alert):
      presentation.state = .alerting
      presentation.fired = alert.fired
      // Milliseconds, as every time on the wire.
      presentation.late = Double(max(0, alert.late) / 1_000) / 1_000
    case .countdown: presentation.state = .countdown
    case .paused: presentation.state = .paused
    }
    return presentation
  }

  private func countdown(of activity: Activity) -> Presentation.Countdown? {
    switch activity.phase {
    case .countdown(let countdown):
      Presentation.Countdown(
        start: countdown.start,
        fire: countdown.end.wall,
        total: seconds(countdown.total),
        elapsed: seconds(countdown.elapsed),
        snooze: countdown.isSnooze
      )
    case .paused(let total, let elapsed, let isSnooze):
      Presentation.Countdown(
        start: nil,
        fire: nil,
        total: seconds(total),
        elapsed: seconds(elapsed),
        snooze: isSnooze
      )
    case .alerting: nil
    }
  }

  /// What is shown as the title, which may be another while it counts.
  private func title(of entry: Entry, _ activity: Activity) -> String {
    let own = entry.chosen?.options.titles
    let title: String? =
      switch activity.phase {
      case .alerting: nil
      case .countdown: own?.countdown
      case .paused: own?.paused
      }
    return title ?? titles[entry.title]
  }
}

extension SharedOptions {
  /// What of them is part of an event; the rest is the daemon's to know, or the program's.
  fileprivate var shown: SharedOptions {
    guard var options = chosen?.options else { return self }
    (options.buttons, options.exactButtons, options.titles) = (nil, nil, nil)
    (options.intents, options.attributes) = (nil, nil)
    return options == chosen?.options ? self : SharedOptions(options)
  }
}

extension Entry {
  /// When it rings next, whatever makes it; an alert under way has begun already.
  var nextRing: Instant? {
    var ring = dueInstant
    switch activity?.phase {
    case .countdown(let countdown): ring = min(ring ?? countdown.end.wall, countdown.end.wall)
    case .alerting(let alert): ring = alert.fired
    case .paused, nil: break
    }
    return ring
  }

  /// Whether it is this program's; nil is anybody's.
  fileprivate func belongs(to application: String?) -> Bool {
    application == nil || self.application == application
  }
}

extension Occurrence.Shift {
  /// Why an occurrence is not at the time that was said, for a person; nil if it is.
  package func note(_ time: TimeOfDay) -> String? {
    switch self {
    case .none: nil
    case .gap(let before, let after):
      "\(time) does not exist on that date, the clocks go forward by \((after - before) / 60) min; it rings as if they had not"
    case .fold: "\(time) exists twice on that date; it rings at the first"
    }
  }
}

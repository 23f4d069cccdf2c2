import TocsinModel
package import TocsinTime

/// All alarms and what they do: the engine, without a clock, file, random number or environment in it.
///
/// `handle(event, now)` decides, `deadlines(now)` says when to call again. Every method takes the time it
/// needs from `now`; clock steps, zone changes, suspend and restart are events like any other.
package struct AlarmTable: Sendable {
  package var rules: EngineRules
  package internal(set) var zones: Zones
  /// The zones whose rules matter besides the machine's.
  package internal(set) var zoneUses = ZoneUses()
  /// Whether the wall clock is synchronised, or kept by a battery.
  package internal(set) var isClockSynchronised = true

  var entries: [Entry] = []
  var titles = Titles()
  var freeSlots: [Int32] = []
  var index = AlarmIndex()
  /// The alarms with an occurrence under way.
  var activeSlots: Set<Int32> = []
  var wallHeap = DeadlineHeap()
  var bootHeap = DeadlineHeap()
  var retiredCount = 0
  /// When it was last said whether the clock is synchronised.
  var synchronisedAt = BootTime.min
  /// The number of the last event; grows within one run.
  var seq: UInt64 = 0
  /// How far the wall clock was ahead of the clock since boot when last seen.
  var lastOffset: Int64?
  /// What the event being handled has brought about so far.
  var effects: [Effect] = []

  package init(rules: EngineRules = EngineRules(), zones: Zones) {
    self.rules = rules
    self.zones = zones
  }

  /// How many alarms there are.
  package var count: Int { index.count - retiredCount }

  /// How many alarms ring.
  package var alertingCount: Int {
    activeSlots.count { entries[Int($0)].state == .alerting }
  }

  /// Takes one event in and says what is to be done, in order.
  ///
  /// Whatever is due at `now` is handled with it, so any event may bring alerts. The first effect of a
  /// request is, for each alarm it meant, `accept` or `reject` somewhere in the list.
  package mutating func handle(_ event: EngineEvent, now: Now) -> [Effect] {
    let step = lastOffset.map { now.offset - $0 } ?? 0
    switch event {
    case .schedule(let alarm, let source): schedule(alarm, source: source, now: now)
    case .update(let alarm, let source): update(alarm, source: source, now: now)
    case .intent(let intent, let source, let application):
      perform(intent, from: Asker(source: source, application: application), now: now)
    case .tick: break
    case .clockStepped: clockStepped(by: step, now: now)
    case .zoneChanged(let zone): zoneChanged(to: zone, now: now)
    case .clockSynchronised(let isSynchronised): clockSynchronised(isSynchronised, now: now)
    case .started: started(now: now)
    case .revoked(let id): revoke(id)
    }
    if isClockSynchronised, retiredCount > 0, now.boot > synchronisedAt { forgetRetired() }
    lastOffset = now.offset
    processDue(now: now)
    if titles.isWasteful { compactTitles() }
    defer { effects = [] }
    return effects
  }

  /// The next number of an event, for one that is sent again in another form.
  package mutating func takeNumber() -> UInt64 {
    seq += 1
    return seq
  }

  /// When to call again, by each of the two clocks; nil if nothing is due by it.
  package func deadlines(now: Now) -> (wall: Instant?, boot: BootTime?) {
    let wall = wallHeap.first.map { Instant(microseconds: $0.key) }
    let boot = bootHeap.first?.key
    guard isClockTrusted(now: now) else {
      // Alarms wait for the clock, the clock's last date does not.
      return (nil, wall == nil ? boot : min(boot ?? rules.clockWait, rules.clockWait))
    }
    return (wall, boot)
  }

  /// Whether alarms may go by the wall clock: it is synchronised or kept by a battery, or the machine
  /// has been up so long that waiting for better is over.
  package func isClockTrusted(now: Now) -> Bool {
    isClockSynchronised || now.boot >= rules.clockWait
  }

  // MARK: - Slots

  mutating func insert(_ entry: Entry, title: String) -> Int32 {
    let slot: Int32
    if let free = freeSlots.popLast() {
      slot = free
      entries[Int(slot)] = entry
    } else {
      slot = Int32(entries.count)
      entries.append(entry)
    }
    entries[Int(slot)].title = titles.add(title)
    zoneUses.add(entry.rule.zone)
    index.insert(slot, in: entries)
    return slot
  }

  /// The slot of an alarm, out of sight or not.
  func slot(of id: AlarmID) -> Int32? { index.slot(of: id, in: entries) }

  /// An entry as it was asked for.
  func alarm(of entry: Entry) -> Alarm {
    var alarm = Alarm(
      id: entry.id,
      title: titles[entry.title],
      schedule: entry.rule.schedule,
      countdown: CountdownDuration(
        preAlert: entry.preAlert == 0 ? nil : seconds(entry.preAlert),
        postAlert: entry.extras?.postAlert
      ),
      isEnabled: entry.isEnabled
    )
    if let options = entry.extras?.options { alarm.sharedOptions = options }
    return alarm
  }

  /// Gives a slot another title.
  mutating func setTitle(_ title: String, _ slot: Int32) {
    titles.remove(entries[Int(slot)].title)
    entries[Int(slot)].title = titles.add(title)
  }

  /// Moves the titles together; only between events, as copies of entries know the old places.
  private mutating func compactTitles() {
    var compact = Titles()
    for index in entries.indices {
      entries[index].title = titles.move(entries[index].title, to: &compact)
    }
    titles = compact
  }

  /// Whether a slot still holds that alarm.
  func holds(_ id: AlarmID, at slot: Int32) -> Bool {
    !entries[Int(slot)].isFree && entries[Int(slot)].id == id
  }

  mutating func remove(_ slot: Int32) {
    let entry = entries[Int(slot)]
    if entry.isRetired { retiredCount -= 1 }
    zoneUses.remove(entry.rule.zone)
    index.remove(slot, in: entries)
    activeSlots.remove(slot)
    wallHeap.set(nil, for: slot)
    bootHeap.set(nil, for: slot)
    entries[Int(slot)].active = nil
    entries[Int(slot)].extras = nil
    setTitle("", slot)
    entries[Int(slot)].isFree = true
    freeSlots.append(slot)
  }

  /// Puts the slot's deadlines right after a change of its entry.
  mutating func settle(_ slot: Int32) {
    let entry = entries[Int(slot)]
    wallHeap.set(entry.isRetired ? nil : entry.wallDeadline, for: slot)
    bootHeap.set(entry.bootDeadline, for: slot)
    if entry.active == nil { activeSlots.remove(slot) } else { activeSlots.insert(slot) }
  }

  // MARK: - Effects

  /// Settles and saves a slot after a change.
  mutating func commit(_ slot: Int32) {
    settle(slot)
    effects.append(.save(record(of: entries[Int(slot)])))
  }

  mutating func note(
    _ event: HistoryEntry.Event,
    _ entry: Entry,
    now: Now,
    due: Instant? = nil,
    source: String? = nil,
    detail: String? = nil
  ) {
    effects.append(
      .record(
        HistoryEntry(
          at: now.wall,
          alarm: entry.id,
          occurrence: entry.activity.map { entry.occurrence(from: $0.origin) },
          application: entry.application,
          title: titles[entry.title],
          event: event,
          due: due ?? entry.activity?.due,
          source: source,
          detail: detail
        )
      )
    )
  }

  /// What routes see of an alarm.
  func subject(_ event: RoutedEvent, _ entry: Entry) -> RouteSubject {
    RouteSubject(
      event: event,
      kind: entry.kind,
      alarm: entry.id,
      title: titles[entry.title],
      options: entry.chosen?.options
    )
  }

  /// Gives a slot its new activity and presents it.
  mutating func present(
    _ activity: Activity,
    _ slot: Int32,
    isResumed: Bool = false,
    isFromEarlierBoot: Bool = false
  ) {
    seq += 1
    let active = Entry.Active(
      activity,
      seq: seq,
      isFromEarlierBoot: isFromEarlierBoot,
      isResumed: isResumed
    )
    entries[Int(slot)].active = active
    effects.append(.present(presentation(of: entries[Int(slot)], active)))
  }

  /// Ends the presentation of the slot's occurrence.
  mutating func clear(_ slot: Int32, _ reason: ClearReason, source: String? = nil) {
    let entry = entries[Int(slot)]
    guard let activity = entry.activity else { return }
    seq += 1
    effects.append(
      .clear(
        SinkMessage.Cleared(
          seq: seq,
          occurrence: entry.occurrence(from: activity.origin),
          title: titles[entry.title],
          reason: reason,
          source: source
        )
      )
    )
  }
}

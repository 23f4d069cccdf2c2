import TocsinEngine
import TocsinModel
import TocsinTime

/// What happens, what follows from it, and how that comes to the disk.
extension AlarmService {
  /// Lets an event happen, does what follows from it, and answers whoever asked.
  func run(_ event: EngineEvent, for reply: WaitingReply? = nil) {
    let moment = now
    var reply = reply
    var changes: [StoreChange] = []
    // A step that the kernel has not told of yet comes before whatever else happened: the engine
    // sees it only once.
    if hasStepped(moment) {
      var nobody: WaitingReply?
      carryOut(table.handle(.clockStepped, now: moment), at: moment, &changes, &nobody)
      followers.noteAll()
      tellFollowers()
    }
    carryOut(table.handle(event, now: moment), at: moment, &changes, &reply)
    switch event {
    case .revoked(let id): followers.note(id)
    case .zoneChanged, .clockStepped: followers.noteAll()
    default: break
    }
    // Before the answer, so that whoever has that knows what it brought about.
    tellFollowers()
    rearm(moment)
    if changes.isEmpty {
      if let reply { answer(reply) }
    } else {
      noteChange()
      commit(changes, for: reply)
      handOverWhenStored()
      prune(moment)
    }
    followZones()
  }

  private func carryOut(
    _ effects: [Effect],
    at moment: Now,
    _ changes: inout [StoreChange],
    _ reply: inout WaitingReply?
  ) {
    for effect in effects {
      switch effect {
      case .present(let presentation): route(.present(presentation), moment, &changes)
      case .clear(let cleared): route(.clear(cleared), moment, &changes)
      case .miss(let missed, let subject): route(.miss(missed, subject), moment, &changes)
      case .secondary(let secondary, let subject):
        route(.secondary(secondary, subject), moment, &changes)
      case .owe(let intent, let title): owe(intent, title, moment, &changes)
      case .save(let record):
        changes.append(.save(record))
        followers.note(record.alarm)
      case .delete(let id):
        changes.append(.delete(id))
        followers.note(id)
      case .record(let entry): changes.append(.record(entry))
      case .accept(let status): reply?.accepted.append(status)
      case .reject(let error): reply?.rejected.append(error)
      }
    }
  }

  // MARK: - The disk

  /// Lets all that happens in one round of the loop go to the disk together, in one commit.
  func shareCommits() {
    store.gather()
    reactor.onRoundEnd = { [unowned service = self] in
      service.assumeIsolated { $0.roundEnded() }
    }
  }

  private func roundEnded() {
    store.wake()
    // Answers are made while the disk works.
    for id in unprepared { waiting[id]?.prepare() }
    unprepared.removeAll(keepingCapacity: true)
  }

  func commit(_ changes: [StoreChange], for reply: WaitingReply?) {
    guard let reply else { return commit(changes) }
    lastWaiting += 1
    let id = lastWaiting
    waiting[id] = reply
    unprepared.append(id)
    guard let alarm = reply.acceptedAlarm else {
      return store.commit(noted(changes)) { [self] error in
        reactor.post { self.assumeIsolated { $0.committed(id, error) } }
      }
    }
    // A new alarm that the disk refuses was never accepted, so it must not turn up later; what else
    // happened at the same time did happen.
    commit(changes.filter { $0.alarm != alarm })
    unsure[alarm] = false
    store.commit(changes.filter { $0.alarm == alarm }, keepOnFailure: false) { [self] error in
      reactor.post { self.assumeIsolated { $0.committed(id, error) } }
    }
  }

  func commit(_ changes: [StoreChange]) {
    guard !changes.isEmpty else { return }
    store.commit(noted(changes)) { [self] error in
      if let error { reactor.post { self.assumeIsolated { $0.storeFailed(error) } } }
    }
  }

  /// Remembers that more is stored of alarms whose first commit is still under way.
  private func noted(_ changes: [StoreChange]) -> [StoreChange] {
    guard !unsure.isEmpty else { return changes }
    for alarm in changes.compactMap(\.alarm) where unsure[alarm] != nil { unsure[alarm] = true }
    return changes
  }

  private func committed(_ id: UInt64, _ error: StoreError?) {
    guard let reply = waiting.removeValue(forKey: id) else { return }
    let wasTouched = reply.acceptedAlarm.flatMap { unsure.removeValue(forKey: $0) } ?? false
    guard let error else {
      if !store.hasPending { storeWorks() }
      return answer(reply)
    }
    storeFailed(error)
    guard let alarm = reply.acceptedAlarm else {
      return refuse(
        reply,
        ServiceError(.storage, "done, but a restart would undo it until it is stored: \(error)")
      )
    }
    run(.revoked(alarm))
    if wasTouched { commit([.delete(alarm)]) }
    refuse(reply, ServiceError(.storage, "not accepted: \(error)"))
  }

  private func storeFailed(_ error: StoreError) {
    if warnings.updateValue("\(error)", forKey: .storeWrite) == nil {
      options.log(.critical, "\(error); alarms go on ringing from memory")
    }
    retryStoreLater()
  }

  private func storeWorks() {
    guard warnings.removeValue(forKey: .storeWrite) != nil else { return }
    options.log(.info, "the store takes changes again")
  }

  /// While changes wait for the disk, and only then, it is tried again every half minute.
  private func retryStoreLater() {
    guard retryTimer == nil, store.hasPending, !isStopping else { return }
    retryTimer = reactor.after(options.storeRetry) { [weak self] in
      self?.assumeIsolated { $0.retryStore() }
    }
  }

  private func retryStore() {
    retryTimer = nil
    store.retry { [self] error in
      reactor.post {
        self.assumeIsolated { service in
          if let error { service.storeFailed(error) } else { service.storeWorks() }
        }
      }
    }
  }

  /// Forgets history that is too old, at most once a day and only when there is other work; by a
  /// clock that may be wrong nothing is forgotten.
  func prune(_ moment: Now) {
    guard table.isClockSynchronised, !isStopping else { return }
    if let lastPrune, moment.boot - lastPrune < 86_400_000_000 { return }
    lastPrune = moment.boot
    let end = moment.wall - options.configuration.daemon.history
    dropIntents(from: end)
    store.prune(before: end) { [log = options.log] error in
      if let error { log(.warning, "old history is kept: \(error)") }
    }
  }
}

extension StoreChange {
  /// The alarm it is about; nil for an intent, which outlives it.
  var alarm: AlarmID? {
    switch self {
    case .save(let record): record.alarm.id
    case .delete(let id): id
    case .record(let entry): entry.alarm
    case .owe, .pay: nil
    }
  }
}

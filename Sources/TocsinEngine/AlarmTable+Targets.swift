import TocsinModel
import TocsinTime

/// Which alarms a request means.
extension AlarmTable {
  /// The slots an intent acts on; at least one, or the reason why there is none.
  func slots(for intent: Intent) -> Result<[Int32], ServiceError> {
    switch intent.target {
    case .occurrence(let id):
      guard let slot = slot(of: id.alarm), !entries[Int(slot)].isRetired,
        let activity = entries[Int(slot)].activity,
        entries[Int(slot)].occurrence(from: activity.origin) == id
      else { return .failure(ServiceError(.stale, "this occurrence is over")) }
      return .success([slot])
    case .named(let name):
      return slot(named: name, for: intent.action).map { [$0] }
    case .alerting:
      let slots = activeSlots.filter { entries[Int($0)].state == .alerting }.sorted()
      return slots.isEmpty
        ? .failure(ServiceError(.wrongState, "nothing rings")) : .success(slots)
    case .only: return onlySlot(for: intent.action).map { [$0] }
    case .all:
      let slots = candidates(for: intent.action, includingTimers: false)
      return slots.isEmpty ? .failure(nothing(to: intent.action)) : .success(slots)
    }
  }

  /// The slot of one alarm by UUID, a unique beginning of it, or its title.
  func slot(named name: String, for action: AlarmAction?) -> Result<Int32, ServiceError> {
    if let id = AlarmID(name) {
      guard let slot = slot(of: id), !entries[Int(slot)].isRetired else {
        return .failure(.noSuchAlarm(name))
      }
      return .success(slot)
    }
    let wanted = name.lowercased()
    var fits = visibleSlots().filter {
      let entry = entries[Int($0)]
      return titles[entry.title].lowercased() == wanted
        || (!wanted.isEmpty && entry.id.description.hasPrefix(wanted))
    }
    if fits.count > 1, let action {
      let able = fits.filter { isCandidate(entries[Int($0)], for: action, includingTimers: true) }
      if able.count == 1 { fits = able }
    }
    return unique(fits, otherwise: .noSuchAlarm(name))
  }

  private func onlySlot(for action: AlarmAction) -> Result<Int32, ServiceError> {
    if action == .stop {
      let ringing = activeSlots.filter { entries[Int($0)].state == .alerting }
      if let slot = ringing.first, ringing.count == 1 { return .success(slot) }
      if ringing.count > 1 { return unique(ringing.sorted(), otherwise: nothing(to: action)) }
    }
    return unique(
      candidates(for: action, includingTimers: true),
      otherwise: nothing(to: action)
    )
  }

  private func unique(
    _ slots: [Int32],
    otherwise error: ServiceError
  ) -> Result<Int32, ServiceError> {
    guard let slot = slots.first else { return .failure(error) }
    guard slots.count > 1 else { return .success(slot) }
    let names = slots.prefix(4).map { name(of: entries[Int($0)]) }.joined(separator: ", ")
    let more = slots.count > 4 ? " and \(slots.count - 4) more" : ""
    return .failure(
      ServiceError(.ambiguous, "several alarms fit: \(names)\(more); name one by its ID")
    )
  }

  private func candidates(for action: AlarmAction, includingTimers: Bool) -> [Int32] {
    let slots: [Int32]
    switch action {
    case .stop, .snooze, .secondary, .pause, .resume, .extend, .restart:
      slots = activeSlots.sorted()
    case .cancel, .skip, .enable, .disable:
      slots = visibleSlots()
    }
    return slots.filter {
      isCandidate(entries[Int($0)], for: action, includingTimers: includingTimers)
    }
  }

  /// Whether an action can apply; a stop for all leaves timers that still count alone.
  private func isCandidate(
    _ entry: Entry,
    for action: AlarmAction,
    includingTimers: Bool
  ) -> Bool {
    switch action {
    case .stop:
      includingTimers
        ? entry.activity != nil
        : entry.activity?.isAlerting == true || entry.activity?.isSnooze == true
    case .snooze, .secondary: entry.state == .alerting
    case .pause: entry.state == .countdown
    case .resume: entry.state == .paused
    case .extend: entry.activity?.total != nil
    case .restart: entry.rule == .timer && entry.activity != nil
    case .cancel: true
    case .skip: entry.rule.isRepeating
    case .enable: !entry.isEnabled
    case .disable: entry.isEnabled
    }
  }

  private func nothing(to action: AlarmAction) -> ServiceError {
    ServiceError(.wrongState, "there is nothing to \(action.rawValue)")
  }

  func visibleSlots() -> [Int32] {
    occupiedSlots().filter { !entries[Int($0)].isRetired }
  }

  /// An alarm for a person: its title, or the beginning of its identity.
  func name(of entry: Entry) -> String {
    let title = titles[entry.title]
    let short = entry.id.description.prefix(8)
    return title.isEmpty ? String(short) : "\(title) (\(short))"
  }

  func wrongState(_ entry: Entry, _ reason: String) -> ServiceError {
    ServiceError(.wrongState, "\(name(of: entry)) \(reason)")
  }
}

extension ServiceError {
  static func noSuchAlarm(_ name: String) -> ServiceError {
    ServiceError(.notFound, "there is no alarm \(name)")
  }
}

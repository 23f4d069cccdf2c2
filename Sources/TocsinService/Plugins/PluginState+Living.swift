import TocsinModel

/// What a plugin that is ready owes, and how it is found out that it hangs.
extension PluginState {
  mutating func sent(
    _ seq: UInt64,
    _ occurrence: OccurrenceID,
    _ isAlert: Bool,
    _ now: Int64
  ) -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    if liveness.late?.occurrence == occurrence { liveness.late = nil }
    owed.owe(seq, occurrence, isAlert: isAlert, at: now)
    if liveness.silentSince == nil { liveness.silentSince = now }
    phase = .ready(liveness)
    return []
  }

  mutating func synchronised() -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    owed = OwedReceipts()
    liveness.silentSince = nil
    liveness.late = nil
    phase = .ready(liveness)
    return []
  }

  /// While it presents an alert it is asked from time to time, so that one that was stopped is found.
  mutating func alerting(_ isAlerting: Bool, _ now: Int64) -> [Effect] {
    guard self.isAlerting != isAlerting else { return [] }
    self.isAlerting = isAlerting
    guard case .ready(var liveness) = phase, liveness.pingedAt == nil else { return [] }
    // Not later than was meant: else one alert after the other would put it off for ever.
    liveness.nextPing = pingInterval.map { min(liveness.nextPing ?? .max, now + $0) }
    phase = .ready(liveness)
    return []
  }

  mutating func answered(_ seq: UInt64, _ now: Int64) -> [Effect] {
    guard case .ready(var liveness) = phase else { return [] }
    owed.settle(seq)
    liveness.silentSince = owed.oldest
    if liveness.late?.seq == seq { liveness.late = nil }
    phase = .ready(liveness)
    if liveness.late == nil {
      hasLoggedSilence = false
      if owed.isEmpty { reason = nil }
    }
    return heard(now)
  }

  /// What it says while it is being killed is no reason, but the half of a line.
  mutating func complained(_ reason: String) -> [Effect] {
    if !isDying { self.reason = reason }
    return []
  }

  /// Takes whatever it answers as a sign of life.
  ///
  /// That it does not confirm an alert is told; killing it for that would silence what it shows.
  mutating func heard(_ now: Int64) -> [Effect] {
    guard case .ready(var liveness) = phase, liveness.pingedAt != nil else { return [] }
    liveness.pingedAt = nil
    liveness.nextPing = pingInterval.map { now + $0 }
    let overdue = owed.giveUp(until: now - timeout)
    liveness.silentSince = owed.oldest
    if let overdue { liveness.late = Late(seq: overdue.seq, occurrence: overdue.occurrence) }
    phase = .ready(liveness)
    guard let overdue else { return [] }
    reason = "has not confirmed event \(overdue.seq)"
    guard !hasLoggedSilence else { return [] }
    hasLoggedSilence = true
    return [.log(.warning, "has not confirmed event \(overdue.seq)")]
  }

  mutating func deadlineReached(_ now: Int64) -> [Effect] {
    guard let deadline, deadline <= now else { return [] }
    switch phase {
    case .idle, .spawning, .dying, .finished, .leaving(.kill):
      return []
    case .greeting:
      return kill("did not say ready in time")
    case .doomed:
      return kill("closed its pipe but did not end")
    case .waiting:
      return start(now)
    case .ready(var liveness):
      if liveness.pingedAt != nil { return kill("did not answer in time") }
      liveness.pingedAt = now
      liveness.nextPing = nil
      phase = .ready(liveness)
      return [.ping]
    case .leaving(.bye):
      phase = .leaving(.terminate(until: now + Rule.afterTerminate))
      return [.terminate]
    case .leaving(.terminate):
      phase = .leaving(.kill)
      return [.kill]
    }
  }
}

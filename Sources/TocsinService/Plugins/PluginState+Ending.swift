/// How a plugin's process ends, and when it is started again.
extension PluginState {
  mutating func pipeClosed(_ now: Int64) -> [Effect] {
    switch phase {
    case .greeting, .ready:
      phase = .doomed(until: now + Rule.afterPipeClosed)
      return []
    case .idle, .spawning, .doomed, .dying, .waiting, .leaving, .finished:
      return []
    }
  }

  mutating func kill(_ reason: String) -> [Effect] {
    phase = .dying
    self.reason = reason
    return [.kill]
  }

  mutating func exited(_ exit: String, _ isFinal: Bool, _ now: Int64) -> [Effect] {
    switch phase {
    case .greeting, .ready, .doomed:
      reason = exit
      return isFinal ? giveUp(exit, now) : wait(exit, now)
    case .dying:
      return wait(reason ?? exit, now)
    case .leaving:
      phase = .finished
      return [.finished]
    case .idle, .spawning, .waiting, .finished:
      return []
    }
  }

  /// Starts it again: at once if it worked and has an alert to present, unless that is a loop; else
  /// ever more slowly.
  mutating func wait(_ why: String, _ now: Int64) -> [Effect] {
    let life = now - startedAt
    if life >= Rule.stableAfter { failures = 0 }
    instants = life < Rule.instant ? instants + 1 : 0
    refusals = 0
    let until = max(now + delay, startedAt + Rule.firstDelay)
    failures += 1
    phase = .waiting(until: until)
    let notes = note(.warning, why)
    return until <= now ? notes + start(now) : notes
  }

  private var delay: Int64 {
    let usual = Self.doubled(Rule.firstDelay, failures, Rule.lastDelay)
    if isAlerting, wasReady, instants < Rule.instantLoop { return 0 }
    if isNeeded { return Rule.firstDelay }
    return isAlerting ? min(usual, Rule.lastAlertingDelay) : usual
  }

  /// Tries again only now and then: somebody has to do something first.
  mutating func giveUp(_ why: String, _ now: Int64) -> [Effect] {
    let delay = Self.doubled(Rule.firstMissingDelay, refusals, Rule.lastMissingDelay)
    refusals += 1
    phase = .waiting(until: now + delay)
    return note(.error, why)
  }

  mutating func stop(_ now: Int64) -> [Effect] {
    switch phase {
    case .idle, .spawning, .waiting:
      phase = .finished
      return [.finished]
    case .greeting, .ready, .doomed:
      phase = .leaving(.bye(until: now + Rule.afterBye))
      return [.bye]
    case .dying:
      phase = .leaving(.kill)
      return []
    case .leaving, .finished:
      return []
    }
  }

  /// Logs a reason when it is new, and ever more rarely while it stays the same.
  private mutating func note(_ level: LogLevel, _ reason: String) -> [Effect] {
    let count = max(failures, refusals)
    let isNews = reason != loggedReason || count & (count - 1) == 0
    loggedReason = reason
    return isNews ? [.log(level, reason)] : []
  }

  private static func doubled(_ first: Int64, _ times: Int, _ last: Int64) -> Int64 {
    min(last, first << Int64(min(times, 20)))
  }
}

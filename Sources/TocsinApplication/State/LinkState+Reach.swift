import TocsinModel

/// From nobody to a service, and back.
extension LinkState {
  /// Something is wanted: looks for a service unless one is there or looked for.
  mutating func wake(_ now: LinkMoment) {
    switch phase {
    case .idle: search(now)
    case .pausing(let until):
      // Somebody waits now; but a crowd of calls is not a crowd of tries.
      let soon = max(now, (lastTry ?? now) + ReconnectPace.first)
      if soon <= now { search(now) } else { phase = .pausing(until: min(until, soon)) }
    case .reaching, .joining, .loading, .ready, .closed: break
    }
  }

  mutating func search(_ now: LinkMoment) {
    lastTry = now
    reach(way)
  }

  private mutating func reach(_ way: LinkWay) {
    phase = .reaching(way)
    effects.append(.reach(way))
  }

  /// Nobody answered there.
  mutating func miss(_ obstacle: LinkObstacle, _ now: LinkMoment) {
    guard case .reaching(let tried) = phase else { return }
    let mayServe = tried == .socket && place == .automatic && !hasDaemon
    if obstacle.kind == .nobody, mayServe { return reach(.own) }
    // Who has the store may be answering at a socket by now.
    if place == .automatic { way = .socket }
    give(up: obstacle, now)
  }

  /// Without a connection for now; what cannot change by itself fails all that waits.
  mutating func give(
    up obstacle: LinkObstacle,
    _ now: LinkMoment,
    error: ApplicationError? = nil
  ) {
    self.obstacle = obstacle.text
    if obstacle.kind == .lasting {
      let error = error ?? .unavailable(obstacle.text)
      for call in calls.removeAll() { finish(call, .failure(error)) }
      let isWanted = performs || !alarmReaders.isEmpty || !accessReaders.isEmpty
      guard isWanted else { return phase = .idle }
    }
    phase = .pausing(until: now + pace.next(isAwaited: !calls.isEmpty))
  }

  /// There is a connection: says who the program is.
  mutating func join(_ way: LinkWay) {
    guard case .reaching = phase else { return effects.append(.disconnect) }
    // A service of its own stays where it is.
    if way == .own { self.way = .own }
    phase = .joining
    hasSaidPerforms = performs
    send(Join(application: application, follow: true, perform: performs))
  }

  /// The program began to run intents after it had joined.
  mutating func sayPerforms() {
    guard phase == .loading || phase == .ready, !hasSaidPerforms else { return }
    hasSaidPerforms = true
    send(Join(application: application, follow: true, perform: true))
  }

  private mutating func send(_ join: Join) {
    send(.join(join), for: .join)
  }

  mutating func send(_ body: Request.Body, for purpose: Purpose) {
    lastRequest += 1
    let request = String(lastRequest)
    requests[request] = purpose
    effects.append(.send(request: request, body))
  }

  /// The service knows the program: asks for what there is.
  mutating func joined(_ access: Access?) {
    if let access { set(access) }
    guard phase == .joining else { return }
    phase = .loading
    loading = AlarmLoading()
    openLoads = 2
    send(.list(Request.ListFilter()), for: .list)
    send(.status, for: .status)
    if performs { sayPerforms() }
  }

  /// A part of what there is has come.
  mutating func loaded(_ now: LinkMoment) {
    guard phase == .loading else { return }
    openLoads -= 1
    guard openLoads == 0 else { return }
    phase = .ready
    readySince = now
    obstacle = nil
    show(loading)
    loading = AlarmLoading()
    for number in intents.owed.sorted() { sayPerformed(number) }
    pump()
  }

  private mutating func show(_ loading: AlarmLoading) {
    let isOther = mirror.replace(loading.first)
    if isOther || !isKnown {
      isKnown = true
      tellAlarms()
    }
    for change in loading.later { apply(change.id, change.status) }
  }

  /// The connection is gone; all that has no answer is sent again on the next.
  mutating func lose(_ reason: String, _ now: LinkMoment) {
    guard phase == .joining || phase == .loading || phase == .ready else { return }
    forgetConnection(now)
    give(up: LinkObstacle(.passing, reason), now)
  }

  /// Lets go of a connection that is of no use.
  mutating func drop(_ obstacle: LinkObstacle, _ error: ApplicationError, _ now: LinkMoment) {
    effects.append(.disconnect)
    forgetConnection(now)
    give(up: obstacle, now, error: error)
  }

  private mutating func forgetConnection(_ now: LinkMoment) {
    requests = [:]
    calls.restart()
    intents.drop()
    pace.lost(after: now - (readySince ?? now))
    readySince = nil
  }
}

import TocsinModel

/// What comes from the service, and what goes to it.
extension LinkState {
  /// Sends what waits, as much as may be under way.
  mutating func pump() {
    guard phase == .ready else { return }
    while requests.count < LinkCalls.window, var call = calls.popNext() {
      guard let body = call.body else {
        complete(call.number, .success(call.answer))
        continue
      }
      let alarm = RepeatedRequest.alarm(of: body).flatMap { mirror[$0] }
      if call.wasSent {
        if RepeatedRequest.isDone(body, before: call.before, now: alarm) {
          done(call, alarm)
          continue
        }
        call.isRepeat = true
      } else {
        call.before = alarm
        call.wasSent = true
      }
      calls[call.number] = call
      send(body, for: .call(call.number))
    }
  }

  /// A repeated request that had been carried out before.
  private mutating func done(_ call: LinkCall, _ alarm: AlarmStatus?) {
    var answer = ApplicationAnswer(outcome: Reply.Outcome(count: 1))
    answer.alarms = [alarm ?? call.before].compactMap { $0 }
    complete(call.number, .success(answer))
  }

  private mutating func complete(
    _ number: Int,
    _ result: Result<ApplicationAnswer, ApplicationError>
  ) {
    guard let call = calls.remove(number) else { return }
    finish(call, result)
  }

  // MARK: - Answers

  mutating func receive(_ reply: Reply, _ now: LinkMoment) {
    if case .error("", let error) = reply { return refuse(error, now) }
    guard let purpose = requests[reply.id] else { return }
    switch (purpose, reply) {
    case (.list, .alarm(_, let status)): loading.add(status.alarm.id, status)
    case (.call(let number), .alarm(_, let status)): calls[number]?.answer.alarms.append(status)
    case (.call(let number), .entry(_, let entry)): calls[number]?.answer.entries.append(entry)
    case (.call(let number), .sink(_, let sink)): calls[number]?.answer.sinks.append(sink)
    case (_, .ok(let id, let outcome)):
      requests[id] = nil
      finish(purpose, outcome, now)
      pump()
    case (_, .error(let id, let error)): fail(id, error, now)
    default: break
    }
  }

  private mutating func finish(_ purpose: Purpose, _ outcome: Reply.Outcome, _ now: LinkMoment) {
    switch purpose {
    case .join: joined(outcome.access)
    case .list: loaded(now)
    case .status:
      if way == .socket { hasDaemon = outcome.status?.embedded != true }
      loaded(now)
    case .performed(let number): intents.settle(number)
    case .call(let number):
      if let access = outcome.access { set(access) }
      guard var answer = calls[number]?.answer else { return }
      answer.outcome = outcome
      complete(number, .success(answer))
    }
  }

  /// A request was refused, by the service or before it was sent.
  mutating func fail(_ request: String, _ error: ServiceError, _ now: LinkMoment) {
    guard let purpose = requests.removeValue(forKey: request) else { return }
    switch purpose {
    case .join, .list, .status: refuse(error, now)
    case .performed(let number): refusePerformed(number, error)
    case .call(let number): refuse(number, error)
    }
    pump()
  }

  private mutating func refuse(_ number: Int, _ error: ServiceError) {
    guard let call = calls[number], let body = call.body else { return }
    // It is ending, and has done nothing: the next that is joined is asked.
    if error.code == .busy { return postpone(call) }
    let alarm = RepeatedRequest.alarm(of: body).flatMap { mirror[$0] }
    // Between the list and the repeated request it may have been answered by others.
    if call.isRepeat, RepeatedRequest.isDone(body, before: call.before, now: alarm) {
      return done(call, alarm)
    }
    complete(number, .failure(.refused(error)))
  }

  private mutating func postpone(_ call: LinkCall) {
    calls[call.number]?.wasSent = call.isRepeat
    calls[call.number]?.answer = ApplicationAnswer(outcome: Reply.Outcome())
  }

  /// The service will not have this program, or not now.
  private mutating func refuse(_ error: ServiceError, _ now: LinkMoment) {
    guard phase == .joining || phase == .loading || phase == .ready else { return }
    let isPassing = error.code == .busy || error.code == .badRequest
    let obstacle = LinkObstacle(isPassing ? .passing : .lasting, error.message)
    drop(obstacle, .refused(error), now)
  }

  // MARK: - The program's alarms

  mutating func receive(_ message: ApplicationMessage) {
    switch message {
    case .changed(let status): change(status.alarm.id, status)
    case .removed(let id): change(id, nil)
    case .authorization(let access): set(access)
    case .perform(let intent): take(intent)
    }
  }

  private mutating func change(_ id: AlarmID, _ status: AlarmStatus?) {
    switch phase {
    case .ready: apply(id, status)
    // The name was said, so changes may come before the answer to it.
    case .joining: break
    case .loading: loading.add(id, status)
    case .idle, .reaching, .pausing, .closed: break
    }
  }

  mutating func apply(_ id: AlarmID, _ status: AlarmStatus?) {
    let isOther = if let status { mirror.set(status) } else { mirror.remove(id) }
    if isOther { tellAlarms() }
  }

  mutating func tellAlarms() {
    if !alarmReaders.isEmpty { effects.append(.alarms(mirror.alarms)) }
  }

  mutating func set(_ access: Access) {
    guard self.access != access else { return }
    self.access = access
    if !accessReaders.isEmpty { effects.append(.access(access)) }
  }

  // MARK: - Intents

  private mutating func take(_ intent: PendingIntent) {
    guard performs, intent.application == application else { return }
    switch intents.take(intent) {
    case .run(let intent): effects.append(.run(intent))
    case .answer(let number, _): sayPerformed(number)
    case .nothing: break
    }
  }

  mutating func ran(_ number: UInt64, _ failure: String?) {
    let failure = failure.map { String($0.prefix(Self.failureLength)) }
    let next = intents.finish(number, failure: failure)
    sayPerformed(number)
    if let next { effects.append(.run(next)) }
  }

  /// What an intent threw is told, but need not fill a line of the protocol.
  private static let failureLength = 1_000

  mutating func sayPerformed(_ number: UInt64) {
    guard phase == .ready, intents.owed.contains(number) else { return }
    send(.performed(number: number, failure: intents.failure(of: number)), for: .performed(number))
  }

  /// One that could not be stored is kept by the service, and said again on the next connection.
  private mutating func refusePerformed(_ number: UInt64, _ error: ServiceError) {
    if error.code != .storage, error.code != .busy { intents.settle(number) }
  }
}

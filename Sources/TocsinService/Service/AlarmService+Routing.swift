import TocsinEngine
import TocsinModel
import TocsinTime

/// What the router decides, and how that is done.
extension AlarmService {
  /// Lets something happen to the router alone, and does what follows from it.
  func route(_ event: RouterEvent) {
    guard !isStopping else { return }
    let moment = now
    var changes: [StoreChange] = []
    route(event, moment, &changes)
    tellFollowers()
    rearm(moment)
    guard !changes.isEmpty else { return }
    noteChange()
    commit(changes)
  }

  /// Lets something happen to the router, and adds what is to be stored.
  func route(_ event: RouterEvent, _ moment: Now, _ changes: inout [StoreChange]) {
    // A new state that goes to everybody goes before it is written down who was asked.
    let early = event.presented.flatMap { router.goesToAll($0) ? $0 : nil }
    if let early {
      plugins?.send(.present(early))
      tell(.present(early), where: \.isSink)
    }
    let message = event.message
    let owner = message == nil ? nil : event.owner(in: router)
    let effects = router.handle(event, now: moment, table: &table)
    // Those who present come first, then those who watch, who see everything whoever presents it.
    for case .send(let message, let sinks) in effects {
      if case .present(let presentation) = message, presentation.seq == early?.seq { continue }
      send(message, to: sinks)
    }
    if let message { tellSubscribers(message, of: owner) }
    for effect in effects {
      switch effect {
      case .send: break
      case .publish(let message):
        tellSubscribers(message, of: message.presented.flatMap { router.owner(of: $0) })
        if case .receipt(let receipt) = message {
          followers.note(receipt.occurrence.alarm, isReceipt: true)
        }
      case .record(let entry): changes.append(.record(entry))
      // A program that runs the service itself shows the notice.
      case .log(.critical, _) where options.isEmbedded: break
      case .log(let level, let text): options.log(LogLevel(level), text)
      }
    }
  }

  private func send(_ message: SinkMessage, to sinks: [SinkID]) {
    plugins?.send(message, to: sinks.compactMap { $0.client == nil ? $0.name : nil })
    var line: [UInt8]?
    for case .some(let id) in sinks.map(\.client) {
      guard let client = control?.clients[id] else { continue }
      line = line ?? (try? JSONLine.encode(message))
      if let line { client.send(event: message, line) }
    }
  }

  /// An alarm as it stands, with what became of its alert at each sink.
  func withReceipts(_ status: AlarmStatus) -> AlarmStatus {
    var status = status
    status.receipts = status.occurrence.flatMap { router.receipts(of: $0) }
    return status
  }

  // MARK: - Requests

  /// Says where an alarm would go.
  func answer(_ question: RouteQuestion, _ reply: WaitingReply) {
    var subject = RouteSubject(
      event: .alert,
      kind: question.kind ?? .alarm,
      alarm: AlarmID(high: 0, low: 0),
      title: question.title ?? "",
      options: question.options
    )
    var options = AlarmOptions()
    var at = question.at
    if let name = question.alarm {
      switch table.status(named: name) {
      case .failure(let error): return refuse(reply, error)
      case .success(let status):
        options = status.alarm.options
        at = at ?? status.next
        subject = RouteSubject(
          event: .alert,
          kind: status.alarm.kind,
          alarm: status.alarm.id,
          title: status.alarm.title,
          options: options
        )
      }
    }
    let rules = table.rules
    let ringFor = options.ringFor.map { Int64($0 * 1_000_000) } ?? rules.ringFor
    let snoozes = options.autoSnooze ?? rules.autoSnooze
    let steps = router.steps(
      for: subject,
      at: at ?? now.wall,
      zone: table.zones.local,
      ringFor: ringFor,
      snooze: snoozes > 0 ? rules.snooze : nil
    )
    for step in steps { reply.client.map { send(.step(id: reply.request, step), to: $0) } }
    finish(reply, Reply.Outcome(count: steps.count))
  }

  /// Lets nobody present what fits for a while.
  func silence(_ text: String, _ seconds: Double, _ reply: WaitingReply) {
    let match: RouteMatch
    do throws(ValueText.Unreadable) {
      match = try RouteMatch(text)
    } catch {
      return refuse(reply, ServiceError(.invalid, error.message))
    }
    guard match.mayFit(.alert) else {
      let message = "a silence is for alerts, which \(text) never fits: leave event: out"
      return refuse(reply, ServiceError(.invalid, message))
    }
    guard !match.terms.isEmpty || text == "all" else {
      return refuse(reply, ServiceError(.invalid, "write what to silence, or all"))
    }
    guard seconds >= 1, seconds <= 366 * 86_400 else {
      return refuse(reply, ServiceError(.invalid, "a silence lasts from 1 s to 366 days"))
    }
    let before = router.standing
    guard before.count < Router.Rule.silences else {
      let message = "there are \(before.count) silences already, end some of them"
      return refuse(reply, ServiceError(.limitReached, message))
    }
    let source = reply.client?.source ?? ""
    route(.silence(match, for: .microseconds(Int64(seconds * 1_000_000)), source: source))
    let new = router.standing.filter { !before.contains($0) }
    options.log(.info, "\(source) silences \(match) for \(Int64(seconds)) s")
    list(new, reply)
  }

  /// Ends a silence, or all of them.
  func unsilence(_ number: Int?, _ reply: WaitingReply) {
    let ended = router.standing.filter { number == nil || $0.number == number }
    guard !ended.isEmpty || number == nil else {
      let message = "there is no silence \(number ?? 0)"
      return refuse(reply, ServiceError(.notFound, message))
    }
    route(.unsilence(number: number))
    list(ended, reply)
  }

  /// Answers with silences.
  func list(_ silences: [Silence], _ reply: WaitingReply) {
    guard let client = reply.client else { return }
    for silence in silences { send(.silence(id: reply.request, silence), to: client) }
    finish(reply, Reply.Outcome(count: silences.count))
  }

  /// Switches a sink on or off until the daemon ends.
  func setSink(_ name: String, _ isEnabled: Bool, _ reply: WaitingReply) {
    guard plugins?.setEnabled(name, isEnabled) ?? false else {
      let known = pluginSettings.map(\.name)
      let near = suggestion(for: name, among: known)
      let message = "plugins.conf has no [plugin \(name)]\(near)"
      return refuse(reply, ServiceError(.notFound, message))
    }
    let source = reply.client?.source ?? ""
    options.log(.info, "\(source) switches \(name) \(isEnabled ? "on" : "off")")
    for status in sinkStatuses where status.sink == name {
      reply.client.map { send(.sink(id: reply.request, status), to: $0) }
    }
    finish(reply, Reply.Outcome(count: 1))
  }
}

extension RouterEvent {
  /// The state that it is about, if it is one.
  fileprivate var presented: Presentation? {
    if case .present(let presentation) = self { presentation } else { nil }
  }

  /// The program whose alarm it is about, before the router has handled it.
  fileprivate func owner(in router: Router) -> String? {
    switch self {
    case .present(let presentation): presentation.sharedOptions.application
    case .clear(let cleared): router.owner(of: cleared.occurrence)
    case .miss(_, let subject), .secondary(_, let subject): subject.application
    default: nil
    }
  }

  /// What those who watch see of it.
  fileprivate var message: SinkMessage? {
    switch self {
    case .present(let presentation): .present(presentation)
    case .clear(let cleared): .cleared(cleared)
    case .miss(let missed, _): .missed(missed)
    case .secondary(let secondary, _): .secondary(secondary)
    default: nil
    }
  }
}

extension SinkMessage {
  /// What is presented that it is about.
  fileprivate var presented: OccurrenceID? {
    switch self {
    case .receipt(let receipt): receipt.occurrence
    case .notice(let notice): notice.occurrence
    default: nil
    }
  }
}

extension RouteQuestion {
  /// How the alarm that is asked about would sound.
  fileprivate var options: AlarmOptions {
    var options = AlarmOptions()
    options.labels = labels
    options.priority = priority
    options.sound = sound
    return options
  }
}

extension LogLevel {
  /// How much a notice matters to the log.
  fileprivate init(_ level: SinkMessage.Notice.Level) {
    switch level {
    case .critical: self = .critical
    case .warning: self = .warning
    case .info: self = .info
    }
  }
}

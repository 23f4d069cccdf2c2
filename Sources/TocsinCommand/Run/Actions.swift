import TocsinClient
import TocsinModel
import TocsinTime

/// An action on alarms that exist: `stop`, `snooze` and their like.
struct ActionCommand: Sendable {
  var action: AlarmAction
  /// The option that gives a duration.
  var durationOption: String?

  func run(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
    // What the words mean first: a wrong one is told even where no daemon runs.
    _ = try intents(invocation, session.time)
    return try run(invocation, session, over: try session.connect())
  }

  func run(
    _ invocation: Invocation,
    _ session: Session,
    over connection: Connection
  ) throws(CommandFailure) -> ExitCode {
    var intents = try intents(invocation, session.time)
    if let all = intents.first, all.target == .all {
      intents = try allTargets(invocation, connection, session).map { target in
        var intent = all
        intent.target = target
        return intent
      }
    }
    return try send(intents, over: connection, invocation, session)
  }

  /// What the words ask for: an intent for each alarm named, one without names, one for `--all`.
  func intents(
    _ invocation: Invocation,
    _ time: TimeReading
  ) throws(CommandFailure) -> [Intent] {
    var duration: Double?
    if let option = durationOption, let text = invocation[option] {
      duration = try time.seconds(of: text)
    }
    var names = invocation.operands
    if action == .extend {
      guard let text = names.popLast() else { throw .usage("extend needs DURATION") }
      duration = try signedSeconds(text, time)
    }
    let isAll = invocation.has("all")
    guard !isAll || names.isEmpty else {
      throw .usage("--all means every alarm; leave \"\(names[0].printable)\" out, or --all")
    }
    let targets: [AlarmTarget] =
      isAll ? [.all] : names.isEmpty ? [.only] : names.map { .named($0) }
    return targets.map {
      Intent(action, $0, duration: duration, undo: invocation.has("undo"))
    }
  }

  /// Each request by itself: one that fails does not keep the others from being done.
  private func send(
    _ intents: [Intent],
    over connection: Connection,
    _ invocation: Invocation,
    _ session: Session
  ) throws(CommandFailure) -> ExitCode {
    var failure: CommandFailure?
    var statuses: [AlarmStatus] = []
    for intent in intents {
      var answered: [AlarmStatus] = []
      do throws(CommandFailure) {
        let outcome = try connection.ask(.intent(intent)) { reply in
          if case .alarm(_, let status) = reply { answered.append(status) }
        }
        if let warning = outcome.warning { session.warn(warning) }
        if !session.json { try tell(intent, answered, outcome, session) }
      } catch {
        if failure != nil || intents.count > 1 { session.warn(error.message) }
        failure = failure ?? error
      }
      statuses += answered
    }
    if let failure {
      if intents.count == 1 { throw failure }
      if session.json { try session.print(document: ErrorDocument(failure)) }
      return failure.exit
    }
    if session.json { try session.print(document: AlarmsDocument(alarms: statuses)) }
    return .success
  }

  /// What `--all` means: for `stop` and `snooze` what rings or snoozes, never a timer that still
  /// counts; for the others what the service says.
  private func allTargets(
    _ invocation: Invocation,
    _ connection: Connection,
    _ session: Session
  ) throws(CommandFailure) -> [AlarmTarget] {
    switch action {
    case .stop, .snooze:
      let alarms = try connection.alarms(.list(Request.ListFilter()))
      let targets = Self.answerable(alarms, action)
      guard !targets.isEmpty else {
        throw CommandFailure(.noSuchAlarm, "notFound", "nothing rings now")
      }
      return targets
    case .cancel:
      try confirm(invocation, connection, session)
      return [.all]
    default:
      return [.all]
    }
  }

  /// The occurrences that `--all` is about, by their identities: what begins to ring in between is
  /// not meant.
  static func answerable(_ alarms: [AlarmStatus], _ action: AlarmAction) -> [AlarmTarget] {
    alarms.filter { status in
      let isSnoozed = status.countdown?.snooze == true
      return status.state == .alerting || action == .stop && status.state != .scheduled && isSnoozed
    }.map { $0.occurrence.map { .occurrence($0) } ?? .named("\($0.alarm.id)") }
  }

  private func confirm(
    _ invocation: Invocation,
    _ connection: Connection,
    _ session: Session
  ) throws(CommandFailure) {
    if invocation.has("yes") { return }
    guard session.inputIsTerminal else {
      throw .usage("cancel --all deletes every alarm and nobody can be asked here; add --yes")
    }
    let count = try connection.alarms(.list(Request.ListFilter())).count
    guard count > 0 else {
      throw CommandFailure(.noSuchAlarm, "notFound", "there are no alarms to cancel")
    }
    session.complain("Cancel \(count == 1 ? "the only alarm" : "all \(count) alarms")? [y/N] ")
    let answer = session.ask()?.lowercased() ?? ""
    guard ["y", "yes"].contains(answer) else {
      throw CommandFailure(.noSuchAlarm, "declined", "nothing was cancelled")
    }
  }

  private func signedSeconds(_ text: String, _ time: TimeReading) throws(CommandFailure) -> Double {
    switch text.first {
    case "-": -(try time.seconds(of: String(text.dropFirst())))
    case "+": try time.seconds(of: String(text.dropFirst()))
    default: try time.seconds(of: text)
    }
  }

  private func tell(
    _ intent: Intent,
    _ statuses: [AlarmStatus],
    _ outcome: Reply.Outcome,
    _ session: Session
  ) throws(CommandFailure) {
    let zone = session.shownZone()
    let table = AlarmRows(zone: zone, now: session.now())
    for status in statuses {
      let title = EventText.title(status.alarm.title, kind: status.alarm.kind)
      session.say("\(title): \(Self.done(intent))\(after(intent, status, table))")
    }
    if statuses.isEmpty {
      let count = outcome.count.map { $0 == 1 ? "1 alarm" : "\($0) alarms" }
      session.say([count, Self.done(intent)].compactMap { $0 }.joined(separator: " "))
    }
  }

  /// What the alarm does from now on.
  private func after(_ intent: Intent, _ status: AlarmStatus, _ table: AlarmRows) -> String {
    switch intent.action {
    case .cancel, .disable: return ""
    case .snooze where status.countdown?.fire != nil:
      return status.countdown?.fire.map {
        " until \(Wording.exactTime($0, in: table.zone))"
      } ?? ""
    case .stop, .skip, .enable, .resume, .extend, .restart, .snooze:
      guard let next = status.next else { return "" }
      return ", next \(Wording.moment(next, in: table.zone, now: table.now))"
    case .pause: return ", " + table.state(status).replacingPrefix("paused, ")
    case .secondary: return ""
    }
  }

  static func done(_ intent: Intent) -> String {
    switch intent.action {
    case .stop: "stopped"
    case .snooze: "snoozed"
    case .pause: "paused"
    case .resume: "resumed"
    case .secondary: "told its program"
    case .cancel: "cancelled"
    case .skip: intent.undo ? "no longer skipped" : "skipped once"
    case .enable: "enabled"
    case .disable: "disabled"
    case .extend: (intent.duration ?? 0) < 0 ? "shortened" : "extended"
    case .restart: "restarted"
    }
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}

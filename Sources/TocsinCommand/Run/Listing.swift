import TocsinClient
import TocsinModel
import TocsinTime

/// Whoever can answer a question about alarms: the daemon, or if none runs the store, and plugins.conf
/// if that is needed.
func withAnswers<Value>(
  _ session: Session,
  readingConfiguration: Bool = false,
  _ body: (Connection) throws(CommandFailure) -> Value
) throws(CommandFailure) -> Value {
  if let connection = try session.connectIfRunning() { return try body(connection) }
  let service = try InProcessService.reading(session, withConfiguration: readingConfiguration)
  defer { service.end() }
  session.warn(
    "no daemon is running: nothing will ring; start it with: tocsind, or systemctl --user start tocsind"
  )
  return try body(service.connection)
}

/// `tocsin list`.
func runList(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  var filter = Request.ListFilter(limit: try invocation.number("limit", in: 1...1_000_000))
  if let word = invocation["state"] {
    guard let state = AlarmState(rawValue: word) else {
      throw .usage(
        "--state is scheduled, countdown, paused or alerting, not \"\(word.printable)\""
      )
    }
    filter.state = state
  }
  let wanted = filter
  let alarms = try withAnswers(session) { connection throws(CommandFailure) in
    try connection.alarms(.list(wanted))
  }
  if session.json {
    try session.print(document: AlarmsDocument(alarms: alarms))
    return .success
  }
  if alarms.isEmpty, session.outputIsTerminal {
    session.say("no alarms; set one with: tocsin alarm 7:30 \"Wake up\", or tocsin timer 10m Tea")
    return .success
  }
  let table = AlarmRows(zone: session.shownZone(), now: session.now()).table(alarms)
  show(table, flexible: 4, session)
  return .success
}

/// `tocsin next`.
func runNext(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let status = try withAnswers(session) { connection throws(CommandFailure) -> AlarmStatus? in
    do throws(CommandFailure) {
      return try connection.alarms(.next).first
    } catch {
      // That nothing rings is an answer, not a failure.
      guard error.code == ServiceError.Code.notFound.rawValue else { throw error }
      return nil
    }
  }
  if session.json {
    try session.print(document: AlarmDocument(alarm: status))
    return .success
  }
  let now = session.now()
  let zone = session.shownZone()
  guard let status, let next = status.next else {
    if session.outputIsTerminal { session.say("nothing is set to ring") }
    return .success
  }
  guard session.outputIsTerminal else {
    session.write(AlarmRows(zone: zone, now: now).table([status]).tabSeparated)
    return .success
  }
  let title = EventText.title(status.alarm.title, kind: status.alarm.kind)
  let left = Wording.length(max(0, (next - now).seconds))
  session.say("\(title): \(Wording.moment(next, in: zone, now: now)) (in \(left))")
  return .success
}

/// `tocsin show ID`.
func runShow(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let names = invocation.operands
  let answers = try withAnswers(session) { connection throws(CommandFailure) in
    var answers: [(AlarmStatus, [HistoryEntry])] = []
    for name in names {
      for status in try connection.alarms(.show(name)) {
        answers.append((status, try lastRing(of: status, connection)))
      }
    }
    return answers
  }
  if session.json {
    for (status, ring) in answers {
      let shown = ring.isEmpty ? nil : ring
      try session.print(document: AlarmDocument(alarm: status, lastRing: shown))
    }
    return .success
  }
  let table = AlarmRows(zone: session.shownZone(), now: session.now())
  for (index, (status, ring)) in answers.enumerated() {
    if index > 0 { session.say("") }
    let lines = table.details(status) + table.receipts(status) + table.lastRing(ring)
    session.write(aligned(lines, style: .dim, colors: session.colors))
  }
  return .success
}

/// What the record holds of the alarm's last ring, the oldest first; nothing while it rings and the
/// receipts say more.
private func lastRing(
  of status: AlarmStatus,
  _ connection: Connection
) throws(CommandFailure) -> [HistoryEntry] {
  guard status.state != .alerting || status.receipts == nil else { return [] }
  let events: [HistoryEntry.Event] = [
    .fired, .presented, .failed, .timedOut, .fallback, .escalated, .unheard, .withheld,
  ]
  let filter = Request.HistoryFilter(alarm: status.alarm.id, events: events, limit: 100)
  var newest: [HistoryEntry] = []
  try connection.ask(.history(filter)) { reply in
    if case .entry(_, let entry) = reply { newest.append(entry) }
  }
  guard let beginning = newest.firstIndex(where: { $0.event == .fired }) else { return [] }
  return newest[...beginning].reversed()
}

/// `tocsin history`.
func runHistory(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let limit = try invocation.number("number", in: 1...1_000_000)
  let name = invocation.operands.first
  let isMissed = invocation.has("missed")
  let entries = try withAnswers(session) { connection throws(CommandFailure) in
    var filter = Request.HistoryFilter(
      events: isMissed ? [.missed, .unanswered, .unheard] : nil,
      limit: limit
    )
    if let name {
      // The record outlives the alarm, so a whole UUID is taken without asking for the alarm.
      if let id = AlarmID(name) {
        filter.alarm = id
      } else {
        filter.alarm = try connection.alarms(.show(name)).first?.alarm.id
      }
    }
    var entries: [HistoryEntry] = []
    try connection.ask(.history(filter)) { reply in
      if case .entry(_, let entry) = reply { entries.append(entry) }
    }
    return entries
  }
  if session.json {
    try session.print(document: HistoryDocument(history: entries))
    return .success
  }
  let zone = session.shownZone()
  let now = session.now()
  var table = Table(["WHEN", "EVENT", "TITLE", "DUE", "BY", "DETAIL"])
  for entry in entries {
    table.rows.append([
      .init(
        "\(Wording.date(zone.date(at: entry.at), now: zone.date(at: now))) "
          + Wording.exactTime(entry.at, in: zone),
        raw: entry.at.rfc3339
      ),
      .init(entry.event.rawValue, style: AlarmRows.style(entry.event)),
      .init(entry.title),
      .init(
        entry.due.map { Wording.moment($0, in: zone, now: now) } ?? "",
        raw: entry.due?.rfc3339 ?? ""
      ),
      .init(entry.source ?? ""),
      .init(entry.detail ?? ""),
    ])
  }
  if entries.isEmpty, session.outputIsTerminal {
    session.say(isMissed ? "nothing was missed" : "nothing has happened yet")
  } else {
    show(table, flexible: 2, session)
  }
  return .success
}

/// `tocsin ids`, for completions: no warning, no waiting, nothing if no daemon runs.
func runIDs(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  guard let connection = try session.connectIfRunning() else { return .success }
  // A shell waits for this with a person before it.
  let alarms = try connection.alarms(.list(Request.ListFilter(limit: 500)), within: .seconds(1))
  for (status, id) in zip(alarms, shortIDs(alarms.map(\.alarm.id))) {
    session.say("\(id)\t\(status.alarm.title.printable)")
  }
  return .success
}

/// The table on a terminal, its values in a pipe.
func show(_ table: Table, flexible: Int, _ session: Session) {
  session.write(
    session.outputIsTerminal
      ? table.rendered(width: session.width, flexible: flexible, colors: session.colors)
      : table.tabSeparated
  )
}

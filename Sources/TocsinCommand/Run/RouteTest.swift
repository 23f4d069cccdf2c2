import TocsinClient
import TocsinModel
import TocsinTime

/// `tocsin route test [ALARM or TITLE]`: where an alarm would go, when, and why.
func runRoute(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let word = invocation.operands[0]
  guard word == "test" else {
    throw .usage("route has no \"\(word.printable)\"; write route test")
  }
  let name = invocation.operands.dropFirst().joined(separator: " ")
  let asked = try question(invocation, session)
  let isMadeUp = RouteRows.optionsOfMadeUp.contains(where: invocation.has)
  let (title, question, steps) = try withAnswers(session, readingConfiguration: true) {
    connection throws(CommandFailure) in
    var question = asked
    var title = name
    if !name.isEmpty, !isMadeUp, let status = try alarm(called: name, connection, session) {
      question.alarm = "\(status.alarm.id)"
      title = EventText.title(status.alarm.title, kind: status.alarm.kind)
    } else {
      question.title = name
      if name.isEmpty { title = EventText.title("", kind: asked.kind) }
    }
    var steps: [RouteStep] = []
    try connection.ask(.route(question)) { reply in
      if case .step(_, let step) = reply { steps.append(step) }
    }
    return (title, question, steps)
  }
  if session.json {
    let id = question.alarm.flatMap { AlarmID($0) }
    try session.print(document: RouteDocument(title: title, alarm: id, steps: steps))
    return .success
  }
  let rows = RouteRows(zone: session.shownZone(), now: session.now())
  if session.outputIsTerminal {
    session.say(rows.heading(title, steps, isMadeUp: question.alarm == nil))
  }
  show(rows.table(steps), flexible: 4, session)
  return .success
}

/// The alarm of that name; nil, which is said, if there is none and one is made up.
private func alarm(
  called name: String,
  _ connection: Connection,
  _ session: Session
) throws(CommandFailure) -> AlarmStatus? {
  do throws(CommandFailure) {
    return try connection.alarms(.show(name)).first
  } catch {
    guard error.code == ServiceError.Code.notFound.rawValue else { throw error }
    session.warn("no alarm is called \"\(name)\", so one of that title is made up")
    return nil
  }
}

/// What the options say of the alarm, without its name.
private func question(
  _ invocation: Invocation,
  _ session: Session
) throws(CommandFailure) -> RouteQuestion {
  var question = RouteQuestion()
  if let text = invocation["at"] { question.at = try instant(text, session) }
  if let word = invocation["kind"] {
    guard let kind = AlarmKind(rawValue: word) else {
      throw .usage("--kind is alarm or timer, not \"\(word.printable)\"")
    }
    question.kind = kind
  }
  question.labels = invocation.values["label"]
  question.priority = try invocation.number("priority", in: -100...100)
  question.sound = invocation["sound"]
  return question
}

/// The instant that a text names: RFC 3339, or what `tocsin alarm` takes for a time; the first of
/// several.
///
/// What is over can be asked about too if it has its year.
private func instant(_ text: String, _ session: Session) throws(CommandFailure) -> Instant {
  if let instant = Instant(rfc3339: text) { return instant }
  let zone = try session.time.zone()
  let now = session.now()
  let hasYear = CivilDate(String(text.prefix(10))) != nil
  let start = hasYear ? Instant(seconds: 0) : now
  switch try session.time.meaning(of: text, now: start, zone: zone) {
  case .span(let span): return now + span
  case .schedules(let schedules):
    var instants: [Instant] = []
    for schedule in schedules {
      let clocks = try clocks(of: schedule, session, here: zone)
      instants += schedule.rings(after: start, in: clocks, count: 1).map(\.instant)
    }
    guard let first = instants.min() else {
      throw .timeText("--at: \"\(text.printable)\" does not come any more")
    }
    return first
  }
}

import TocsinClient
import TocsinModel
import TocsinTime

/// `tocsin alarm`.
func runAlarm(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let now = session.now()
  let reading = AlarmReading(time: session.time, now: now, zone: session.zoneOrUTC)
  let alarms = try reading.alarms(invocation) { newAlarmID() }
  try requireZone(for: alarms, session)
  let here = session.shownZone()
  return try schedule(alarms, invocation, session, now: now, here: here)
}

/// `tocsin timer`.
func runTimer(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let now = session.now()
  let here = session.shownZone()
  let reading = AlarmReading(time: session.time, now: now, zone: here)
  let alarm = try reading.timer(invocation) { newAlarmID() }
  return try schedule([alarm], invocation, session, now: now, here: here)
}

/// `tocsin edit`.
func runEdit(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  guard let name = invocation.operands.first else { throw .usage("edit needs ID") }
  guard
    invocation.values.keys.contains(where: { !["json", "dry-run", "socket", "color"].contains($0) })
  else { throw .usage("edit needs an option that says what to change; see: tocsin edit --help") }
  let now = session.now()
  let connection = try session.connect()
  guard let old = try connection.alarms(.show(name)).first else {
    throw CommandFailure(.noSuchAlarm, "notFound", "no alarm is called \"\(name.printable)\"")
  }
  let reading = AlarmReading(time: session.time, now: now, zone: session.zoneOrUTC)
  let alarm = try reading.edited(old.alarm, invocation)
  try requireZone(for: [alarm], session)
  let here = session.shownZone()
  var status = try preview(alarm, session, now: now, here: here)
  if !invocation.has("dry-run") {
    status = try accept(alarm, .update(alarm), connection, session) ?? status
  }
  try tell([status], invocation, session, now: now, here: here)
  return .success
}

/// Refuses alarms that go by the machine's clocks where its zone cannot be read: UTC is for showing
/// times, and would let them ring at a wrong one.
private func requireZone(for alarms: [Alarm], _ session: Session) throws(CommandFailure) {
  for alarm in alarms {
    if case .wall(let wall) = alarm.schedule, wall.zone == nil { _ = try session.time.zone() }
  }
}

private func newAlarmID() -> AlarmID {
  var generator = SystemRandomNumberGenerator()
  return AlarmID(using: &generator)
}

private func schedule(
  _ alarms: [Alarm],
  _ invocation: Invocation,
  _ session: Session,
  now: Instant,
  here: Zone
) throws(CommandFailure) -> ExitCode {
  var statuses: [AlarmStatus] = []
  for alarm in alarms { statuses.append(try preview(alarm, session, now: now, here: here)) }
  if invocation.has("dry-run") {
    try tell(statuses, invocation, session, now: now, here: here)
    return .success
  }
  var embedded: InProcessService?
  let connection: Connection
  if let running = try session.connectIfRunning() {
    connection = running
  } else {
    let service = try InProcessService.start(session)
    embedded = service
    connection = service.connection
  }
  defer { embedded?.end() }
  let follows = embedded != nil || invocation.has("follow")
  if follows { try connection.ask(.subscribe) }
  for (index, alarm) in alarms.enumerated() {
    if let accepted = try accept(alarm, .schedule(alarm), connection, session) {
      statuses[index] = accepted
    }
    // Told one by one: if the second is refused, the first stands.
    try tell([statuses[index]], invocation, session, now: now, here: here, oneByOne: true)
  }
  if session.json, !follows { try session.print(document: AlarmsDocument(alarms: statuses)) }
  guard follows else { return .success }
  if session.json {
    for status in statuses { try session.print(document: AlarmDocument(alarm: status)) }
  }
  return try follow(
    Set(alarms.map(\.id)),
    over: connection,
    hosts: embedded != nil,
    session: session
  )
}

/// Sends the alarm; its status if the answer has it.
private func accept(
  _ alarm: Alarm,
  _ body: Request.Body,
  _ connection: Connection,
  _ session: Session
) throws(CommandFailure) -> AlarmStatus? {
  var status: AlarmStatus?
  let outcome = try connection.ask(body) { reply in
    if case .alarm(_, let accepted) = reply { status = accepted }
  }
  if let warning = outcome.warning { session.warn(warning) }
  return status
}

/// What becomes of the alarm, as far as can be said without asking.
private func preview(
  _ alarm: Alarm,
  _ session: Session,
  now: Instant,
  here: Zone
) throws(CommandFailure) -> AlarmStatus {
  var status = AlarmStatus(alarm: alarm, state: .scheduled)
  guard let schedule = alarm.schedule else {
    let length = Duration(seconds: alarm.countdown.preAlert ?? 0) ?? .zero
    status.next = alarm.isEnabled ? (now + length).roundedUpToMillisecond : nil
    return status
  }
  let zone = try clocks(of: schedule, session, here: here)
  let ring = schedule.rings(after: now, in: zone, count: 1).first
  guard let ring else {
    throw .timeText("the alarm would never ring: its time has passed, or its days never come")
  }
  status.scheduled = ring.instant
  status.next = alarm.isEnabled ? ring.instant : nil
  status.note = ring.note
  return status
}

/// Whose clocks the schedule goes by.
func clocks(
  of schedule: Schedule,
  _ session: Session,
  here: Zone
) throws(CommandFailure) -> Zone {
  guard case .wall(let wall) = schedule, let name = wall.zone else { return here }
  return try session.time.zone(named: name)
}

private func tell(
  _ statuses: [AlarmStatus],
  _ invocation: Invocation,
  _ session: Session,
  now: Instant,
  here: Zone,
  oneByOne: Bool = false
) throws(CommandFailure) {
  for doubt in Set(statuses.compactMap(\.alarm.options.sound).compactMap(SoundArgument.doubt)) {
    session.warn(doubt)
  }
  if session.json {
    if !oneByOne { try session.print(document: AlarmsDocument(alarms: statuses)) }
    return
  }
  for status in statuses {
    let alarm = status.alarm
    var zone = here
    if let schedule = alarm.schedule { zone = try clocks(of: schedule, session, here: here) }
    // The daemon's answer counts: it may live in another zone, or have newer rules.
    let instant = status.scheduled ?? status.next
    var ring = instant.map { Ring(fixed: $0, zone: zone) }
    ring?.note = status.note
    let dry = invocation.has("dry-run") ? " (dry run: nothing is set)" : ""
    session.say(Echo.line(alarm, ring: ring, now: now, zone: zone, here: here) + dry)
  }
}

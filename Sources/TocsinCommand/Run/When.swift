import TocsinModel
import TocsinTime

/// `tocsin when TEXT`: what a time text means, without setting anything.
func runWhen(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let count = try invocation.number("number", in: 1...10_000) ?? 1
  var start = session.now()
  if let text = invocation["from"] {
    guard let instant = Instant(rfc3339: text) else {
      throw .timeText(
        "--from is an RFC 3339 time such as 2027-03-27T12:00:00Z, not \"\(text.printable)\""
      )
    }
    start = instant
  }
  let zone = try session.time.zone(named: invocation["tz"])
  let text = invocation.operands.joined(separator: " ")
  let meaning = try session.time.meaning(of: text, now: start, zone: zone)
  let rings = try rings(meaning, from: start, zone: zone, count: count, session)
  if session.json {
    try session.print(
      document: WhenDocument(
        understood: meaning.understood,
        zone: zone.name,
        occurrences: rings.map { ring, zone in
          .init(
            at: ring.instant,
            local: Wording.local(ring.instant, in: zone),
            date: "\(ring.date)",
            note: ring.note
          )
        }
      )
    )
    return .success
  }
  guard session.outputIsTerminal else {
    for (ring, zone) in rings {
      let cells = [
        ring.instant.rfc3339, Wording.local(ring.instant, in: zone), ring.note ?? "",
      ]
      session.say(cells.joined(separator: "\t"))
    }
    return .success
  }
  session.say(Style.dim.applied(to: meaning.understood, colors: session.colors))
  for (ring, zone) in rings { session.say(line(ring, zone: zone, from: start)) }
  if rings.isEmpty { session.say("never again") }
  return .success
}

private func rings(
  _ meaning: TimeMeaning,
  from start: Instant,
  zone: Zone,
  count: Int,
  _ session: Session
) throws(CommandFailure) -> [(Ring, Zone)] {
  switch meaning {
  case .span(let span):
    return [(Ring(fixed: start + span, zone: zone), zone)]
  case .schedules(let schedules):
    var all: [(Ring, Zone)] = []
    for schedule in schedules {
      let own = try clocks(of: schedule, session, here: zone)
      all += schedule.rings(after: start, in: own, count: count).map { ($0, own) }
    }
    return Array(all.sorted { $0.0.instant < $1.0.instant }.prefix(count))
  }
}

private func line(_ ring: Ring, zone: Zone, from start: Instant) -> String {
  let abbreviation = zone.offset(at: ring.instant).abbreviation
  let left = Wording.length((ring.instant - start).seconds)
  let note = ring.note.map { "; \($0)" } ?? ""
  return "\(Wording.moment(ring.instant, in: zone, now: start)) \(abbreviation) (in \(left))\(note)"
}

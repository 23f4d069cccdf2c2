import TocsinModel
import TocsinTime

/// How silences stand in lists and sentences.
struct SilenceRows {
  let zone: Zone
  let now: Instant

  /// One row for each silence, in their order.
  func table(_ silences: [Silence]) -> Table {
    var table = Table(["NUMBER", "SILENCED", "UNTIL", "LEFT", "BY"])
    for silence in silences {
      let left = max(0, (silence.until - now).seconds)
      table.rows.append([
        .init("\(silence.number)"), .init(silence.match),
        .init(Wording.moment(silence.until, in: zone, now: now), raw: silence.until.rfc3339),
        .init(Wording.length(left), raw: "\(Int64(min(left, 1e15)))"), .init(silence.source),
      ])
    }
    return table
  }

  /// What is told of a new one: `label:work: silenced until Tue 1 Dec 01:18 (in 2 h)`.
  func made(_ silence: Silence) -> String {
    let left = Wording.length(max(0, (silence.until - now).seconds))
    let until = Wording.moment(silence.until, in: zone, now: now)
    return "\(silence.match.printable): silenced until \(until) (in \(left)),"
      + " end it with: tocsin silence end \(silence.number)"
  }

  /// One line for `status`.
  func line(_ silence: Silence) -> String {
    let left = Wording.length(max(0, (silence.until - now).seconds))
    let until = Wording.moment(silence.until, in: zone, now: now)
    return "\(silence.match.printable) until \(until) (in \(left)), by \(silence.source.printable)"
      + ", number \(silence.number)"
  }

  /// The alarms that ring, or will within the time, and are meant.
  func ringing(
    _ alarms: [AlarmStatus],
    _ match: RouteMatch,
    until end: Instant
  ) -> [AlarmStatus] {
    alarms.filter { status in
      guard status.state == .alerting || status.next.map({ $0 < end }) == true else { return false }
      let alarm = status.alarm
      return match.matches(
        RouteSubject(
          event: .alert,
          kind: alarm.kind,
          alarm: alarm.id,
          title: alarm.title,
          options: alarm.options
        )
      )
    }
  }

  /// Whom it keeps quiet, in one line; the first five by name.
  func meant(_ alarms: [AlarmStatus]) -> String {
    if alarms.isEmpty { return "no alarm that is set now rings in that time" }
    let names = alarms.prefix(5).map { status in
      let title = EventText.title(status.alarm.title, kind: status.alarm.kind)
      if status.state == .alerting { return "\(title) (rings now)" }
      return status.next.map { "\(title) (\(Wording.time($0, in: zone, now: now)))" } ?? title
    }
    let more = alarms.count > 5 ? " and \(alarms.count - 5) more" : ""
    return "nobody will present: \(names.joined(separator: ", "))\(more)"
  }
}

import TocsinModel
import TocsinTime

/// How alarms stand in lists.
struct AlarmRows {
  let zone: Zone
  let now: Instant

  /// One row for each alarm, in their order.
  func table(_ alarms: [AlarmStatus]) -> Table {
    var table = Table(["ID", "NEXT", "LEFT", "STATE", "TITLE", "REPEATS"])
    let ids = shortIDs(alarms.map(\.alarm.id))
    for (status, id) in zip(alarms, ids) {
      let left = status.next.map { ($0 - now).seconds }
      table.rows.append([
        .init(id, raw: "\(status.alarm.id)", style: .dim),
        .init(
          status.next.map { Wording.moment($0, in: zone, now: now) } ?? "-",
          raw: status.next?.rfc3339 ?? ""
        ),
        .init(left.map { Wording.length(max(0, $0)) } ?? "-", raw: left.map { whole($0) } ?? ""),
        .init(state(status), style: style(status)),
        .init(status.alarm.title),
        .init(status.alarm.schedule?.repeatsColumn ?? "timer"),
      ])
    }
    return table
  }

  /// The state in words, such as "snoozed until 07:09:05".
  func state(_ status: AlarmStatus) -> String {
    switch status.state {
    case .alerting:
      return status.due.map { "ringing since \(Wording.time($0, in: zone, now: now))" } ?? "ringing"
    case .paused:
      guard let countdown = status.countdown else { return "paused" }
      return "paused, \(Wording.clock(countdown.total - countdown.elapsed)) left"
    case .countdown:
      guard let countdown = status.countdown, countdown.snooze, let fire = countdown.fire else {
        return "counting down"
      }
      return "snoozed until \(Wording.exactTime(fire, in: zone))"
    case .scheduled:
      if !status.alarm.isEnabled { return "disabled" }
      if let date = status.skips { return "skips \(Wording.date(date, now: zone.date(at: now)))" }
      return "scheduled"
    }
  }

  /// The alarm told line by line, for `show`.
  func details(_ status: AlarmStatus) -> [(String, String)] {
    let alarm = status.alarm
    var lines = [("ID", "\(alarm.id)"), ("Title", alarm.title.printable), ("State", state(status))]
    if let next = status.next {
      let left = Wording.length(max(0, (next - now).seconds))
      lines.append(("Next", "\(Wording.moment(next, in: zone, now: now)) (in \(left))"))
    }
    if let scheduled = status.scheduled, scheduled != status.next {
      lines.append(("Scheduled", Wording.moment(scheduled, in: zone, now: now)))
    }
    if let note = status.note { lines.append(("Note", note.printable)) }
    switch alarm.schedule {
    case .wall(let wall):
      lines.append(("Time", "\(wall.time)\(wall.zone.map { " \($0)" } ?? "")"))
      lines.append(("Repeats", alarm.schedule?.repeatsColumn ?? "once"))
      if case .on(let date) = wall.days { lines.append(("Date", "\(date)")) }
    case .fixed(let instant):
      lines.append(("Instant", "\(instant.rfc3339)"))
    case nil:
      break
    }
    let countdown = alarm.countdown
    if let before = countdown.preAlert {
      lines.append((alarm.kind == .timer ? "Length" : "Counts down", Wording.length(before)))
    }
    if let snooze = countdown.postAlert { lines.append(("Snooze", Wording.length(snooze))) }
    return lines + options(alarm.options)
  }

  /// What became of the alert at each sink, for `show` while it rings.
  func receipts(_ status: AlarmStatus) -> [(String, String)] {
    (status.receipts ?? []).map { receipt in
      ("At \(EventText.sink(receipt).printable)", EventText.result(receipt, zone: zone, now: now))
    }
  }

  /// How the last ring went, for `show` of one that does not ring.
  func lastRing(_ entries: [HistoryEntry]) -> [(String, String)] {
    entries.map { entry in
      let time = Wording.time(entry.at, in: zone, now: now)
      guard entry.event != .fired else { return ("Last ring", time) }
      let source = entry.source.map { " \($0.printable)" } ?? ""
      let detail = entry.detail.map { ": \($0.printable)" } ?? ""
      return ("", "\(Self.word(entry.event))\(source) \(time)\(detail)")
    }
  }

  /// What stands before a sink's name.
  private static func word(_ event: HistoryEntry.Event) -> String {
    switch event {
    case .presented: "presented by"
    case .failed: "failed at"
    case .timedOut: "no answer from"
    case .fallback: "fallback to"
    case .escalated: "escalated to"
    case .unheard: "confirmed by nobody"
    case .withheld: "withheld"
    default: event.rawValue
    }
  }

  /// How an event stands out in the record.
  static func style(_ event: HistoryEntry.Event) -> Style {
    switch event {
    case .missed, .unanswered, .failed, .timedOut, .unheard: .red
    case .fallback, .escalated, .withheld: .yellow
    case .scheduled, .updated, .fired, .presented, .snoozed, .paused, .resumed, .extended, .stopped,
      .skipped, .enabled, .disabled, .cancelled, .performed, .ended:
      .plain
    }
  }

  private func options(_ options: AlarmOptions) -> [(String, String)] {
    let percent = options.volume.map { "\(Int(($0 * 100).rounded()))%" }
    let ring = options.ringFor.map { $0 == 0 ? "until answered" : Wording.length($0) }
    let lines: [(String, String?)] = [
      ("Sound", options.sound?.printable), ("Volume", percent),
      ("Fade", options.fade.map(Wording.length)), ("Priority", options.priority.map(String.init)),
      ("Labels", options.labels?.map(\.printable).joined(separator: ", ")),
      ("Snooze limit", options.snoozeLimit.map(String.init)), ("Rings for", ring),
      ("Program", options.application?.printable),
      ("Snoozes itself", options.autoSnooze.map { "\($0) times" }),
    ]
    return lines.compactMap { name, value in value.map { (name, $0) } }
  }

  private func style(_ status: AlarmStatus) -> Style {
    switch status.state {
    case .alerting: .red
    case .countdown: .green
    case .paused: .yellow
    case .scheduled: status.alarm.isEnabled ? .plain : .dim
    }
  }

  private func whole(_ seconds: Double) -> String {
    String(Int64(max(0, min(seconds, 1e15)).rounded(.down)))
  }
}

/// The shortest beginnings by which the alarms can be told apart, four characters at least.
func shortIDs(_ ids: [AlarmID]) -> [String] {
  let texts = ids.map(\.description)
  let sorted = texts.sorted()
  var lengths: [String: Int] = [:]
  for (index, text) in sorted.enumerated() {
    var needed = 4
    for neighbour in [index - 1, index + 1] where sorted.indices.contains(neighbour) {
      let common = zip(text.utf8, sorted[neighbour].utf8).prefix { $0 == $1 }.count
      needed = max(needed, min(common + 1, text.utf8.count))
    }
    lengths[text] = needed
  }
  return texts.map { String($0.prefix(lengths[$0] ?? 36)) }
}

/// Names and values under each other, the values aligned.
func aligned(_ lines: [(String, String)], style: Style, colors: Bool) -> String {
  let width = lines.map(\.0.count).max() ?? 0
  return lines.map { name, value in
    let gap = String(repeating: " ", count: width - name.count + 2)
    return style.applied(to: name, colors: colors) + gap + value + "\n"
  }.joined()
}

import SinkKit

/// Finds the words and marks for pop-ups.
///
/// A title is a stranger's text: it stands alone in the summary, or set apart between isolates, so
/// that one written from right to left does not turn the time around (UAX #9, FSI and PDI).
struct PopUpWording {
  /// Visible characters (grapheme clusters) of a title.
  private static let titleLimit = 100
  /// Visible characters on a button.
  private static let labelLimit = 30
  /// Missed alarms and notices that are shown one by one.
  private static let newsLimit = 6
  /// Visible characters of a notice.
  private static let noticeLimit = 300

  var time: LocalTimeText
  var settings: DesktopSettings

  /// The pop-up for a presentation as it is at that moment.
  func popUp(for presentation: Presentation, now: Instant, on server: ServerFeatures) -> PopUp {
    let isAlert = presentation.state == .alerting
    var popUp = PopUp(
      summary: name(of: presentation),
      icon: settings.icon,
      urgency: isAlert ? .critical : .low,
      category: presentation.kind == .timer ? "x-tocsin.timer" : "x-tocsin.alarm",
      isTransient: !isAlert,
      actions: server.hasActions ? actions(for: presentation) : []
    )
    var lines: [String]
    if isAlert {
      lines = [alertLine(presentation)].filter { !$0.isEmpty }
      if !server.hasActions { lines.append("To stop it: tocsin stop") }
    } else {
      let left = remaining(presentation, now: now, on: server)
      lines = [countdownLine(presentation, left, on: server)]
      popUp.progress = presentation.countdown.flatMap { progress($0, left: left.shown) }
    }
    popUp.body = body(lines, on: server)
    return popUp
  }

  /// The pop-up for alarms that reached nobody, the newest last.
  func popUp(forMissed missed: [SinkMessage.Missed], now: Instant, on server: ServerFeatures)
    -> PopUp
  {
    var lines = missed.suffix(Self.newsLimit).map { missed in
      "\(time.withDay(missed.due, at: now)) \(isolated(title(missed.title) ?? "Alarm"))"
        + " (\(reason(missed.reason)))"
    }
    if missed.count > lines.count { lines.insert("\(missed.count - lines.count) earlier", at: 0) }
    return PopUp(
      summary: missed.count == 1 ? "Missed alarm" : "\(missed.count) missed alarms",
      body: body(lines, on: server),
      icon: settings.icon,
      category: "x-tocsin.missed"
    )
  }

  /// The pop-up for notices of one level, the newest last; nil without any.
  func popUp(for notices: [SinkMessage.Notice], on server: ServerFeatures) -> PopUp? {
    guard let newest = notices.last else { return nil }
    var lines = notices.suffix(Self.newsLimit).map {
      shortened($0.text, to: Self.noticeLimit) ?? "Nothing was said"
    }
    if notices.count > lines.count {
      lines.insert("\(notices.count - lines.count) earlier", at: 0)
    }
    let isCritical = newest.level == .critical
    let name = notices.count == 1 ? newest.title.flatMap { title($0) } : nil
    return PopUp(
      summary: name ?? (isCritical ? "Alarms need a look" : "About your alarms"),
      body: body(lines, on: server),
      icon: settings.icon,
      urgency: isCritical ? .critical : .normal,
      category: "x-tocsin.notice",
      expires: !isCritical
    )
  }

  /// How long a countdown's text stays as it is; nil if it stays for good.
  func nextChange(_ presentation: Presentation, now: Instant, on server: ServerFeatures)
    -> Duration?
  {
    guard let fire = presentation.countdown?.fire else { return nil }
    let left = remaining(presentation, now: now, on: server)
    guard left.shown > left.step else { return nil }
    let next = Duration.seconds(left.shown - left.step)
    // A millisecond early, as `secondsLeft` rounds.
    return max((fire - now) - next - .milliseconds(1), .milliseconds(1))
  }

  // MARK: Words

  /// The title, or what it is and when.
  private func name(of presentation: Presentation) -> String {
    if let title = title(presentation.title) { return title }
    return presentation.kind == .timer ? "Timer" : "Alarm \(time.withMinutes(presentation.due))"
  }

  /// The title made harmless and not too long; nil if nothing is left of it.
  private func title(_ text: String) -> String? { shortened(text, to: Self.titleLimit) }

  private func shortened(_ text: String, to limit: Int) -> String? {
    let line = HarmlessText.oneLine(text, limit: limit + 1)
    guard line.count > limit || text.count > limit + 1 else { return line.isEmpty ? nil : line }
    return line.isEmpty ? nil : line.prefix(limit - 1) + "…"
  }

  private func alertLine(_ presentation: Presentation) -> String {
    let late = presentation.late.flatMap { DurationText.late($0) }
    let isNamed = title(presentation.title) != nil
    var text = ""
    if presentation.kind == .timer {
      text = "Time is up"
      if late != nil { text += ": \(time.withMinutes(presentation.due))" }
    } else if isNamed || late != nil {
      text = time.withMinutes(presentation.due)
    }
    if let late { text += " (\(late))" }
    let snoozed: String? =
      switch presentation.snoozes {
      case ..<1: nil
      case 1: "snoozed once"
      case 2: "snoozed twice"
      case let count: "snoozed \(count) times"
      }
    return [text, snoozed ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func countdownLine(
    _ presentation: Presentation,
    _ left: Remaining,
    on server: ServerFeatures
  ) -> String {
    if presentation.state == .paused { return "Paused, \(text(left)) left" }
    let verb = presentation.countdown?.snooze == true ? "Snoozed, " : ""
    guard let fire = presentation.countdown?.fire else { return verb + "\(text(left)) left" }
    return verb + "\(text(left)) left, until \(time.withMinutes(fire))"
  }

  private func reason(_ reason: MissedReason) -> String {
    switch reason {
    case .late: "the machine was off or asleep"
    case .unanswered: "nobody answered"
    case .zone: "not in this time zone"
    }
  }

  private func isolated(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }

  private func body(_ lines: [String], on server: ServerFeatures) -> String {
    let text = lines.joined(separator: "\n")
    return server.hasBodyMarkup ? Self.escaped(text) : text
  }

  /// The text for a server that reads markup, which has five characters of its own.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  // MARK: Buttons

  private func actions(for presentation: Presentation) -> [PopUp.Action] {
    var actions: [PopUp.Action] = []
    for button in presentation.buttons
    where !actions.contains(where: { $0.key == button.role.rawValue }) {
      let word = button.role.rawValue
      let label = shortened(button.text, to: Self.labelLimit)
      actions.append(
        PopUp.Action(key: word, label: label ?? word.prefix(1).uppercased() + word.dropFirst())
      )
    }
    // Some servers take a click for the only button there is, unless it has a meaning of its own.
    if presentation.state == .alerting, settings.click != .none || actions.count == 1 {
      let label =
        switch settings.click {
        case .none: "Keep ringing"
        case .snooze: "Snooze"
        case .stop: "Stop"
        }
      actions.append(PopUp.Action(key: PopUp.clickKey, label: label))
    }
    return actions
  }

  // MARK: What is left

  /// What is left of a countdown, in the steps in which it is shown.
  private struct Remaining {
    /// Seconds, rounded up to the step.
    var shown: Int64
    /// Seconds.
    var step: Int64
  }

  private func remaining(
    _ presentation: Presentation,
    now: Instant,
    on server: ServerFeatures
  ) -> Remaining {
    guard let countdown = presentation.countdown else { return Remaining(shown: 0, step: 1) }
    let left =
      countdown.fire.map { $0 - now }
      ?? DurationText.duration(countdown.total - countdown.elapsed)
    let seconds = DurationText.secondsLeft(left)
    let isHalted = countdown.fire == nil
    let step: Int64 = seconds <= 3_600 && (server.updatesInPlace || isHalted) ? 1 : 60
    return Remaining(shown: (seconds + step - 1) / step * step, step: step)
  }

  private func text(_ left: Remaining) -> String {
    if left.step == 1 { return DurationText.clock(left.shown) }
    let minutes = left.shown / 60
    guard minutes > 1 else { return "less than a minute" }
    let rest = minutes % 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(rest) min"
  }

  private func progress(_ countdown: Presentation.Countdown, left: Int64) -> Int? {
    guard countdown.total > 0, countdown.total.isFinite else { return nil }
    let over = (countdown.total - Double(left)) / countdown.total
    return Int(min(max(over, 0), 1) * 100)
  }
}

import TocsinModel
import TocsinTime

/// Events in one line each.
enum EventText {
  /// A title, or what stands for none.
  static func title(_ title: String, kind: AlarmKind? = nil) -> String {
    if !title.isEmpty { return title.printable }
    return kind == .timer ? "Timer" : "Alarm"
  }

  /// What is presented, as it is now.
  static func presentation(_ presentation: Presentation, session: Session) -> String {
    let title = title(presentation.title, kind: presentation.kind)
    let now = session.now()
    switch presentation.state {
    case .alerting:
      var text = "\(title): ringing"
      if let late = presentation.late, late >= 1 { text += ", \(Wording.length(late)) late" }
      return text
    case .paused:
      guard let countdown = presentation.countdown else { return "\(title): paused" }
      return "\(title): paused, \(Wording.clock(countdown.total - countdown.elapsed)) left"
    case .countdown, .scheduled:
      guard let countdown = presentation.countdown, let fire = countdown.fire else { return title }
      let left = Wording.clock((fire - now).seconds)
      return countdown.snooze ? "\(title): snoozed, \(left) left" : "\(title): \(left) left"
    }
  }

  /// The line that `watch` prints; nil for what concerns nobody.
  static func line(_ message: SinkMessage, zone: Zone, session: Session) -> String? {
    let time = Wording.exactTime(session.now(), in: zone)
    switch message {
    case .present(let shown):
      var text = "\(time)  "
      switch shown.state {
      case .countdown:
        text += "\(title(shown.title, kind: shown.kind)): "
        text += shown.countdown?.snooze == true ? "snoozed" : "counting down"
        if let fire = shown.countdown?.fire {
          text += " until \(Wording.exactTime(fire, in: zone))"
        }
        return text
      default:
        return text + presentation(shown, session: session)
      }
    case .cleared(let cleared):
      let by = cleared.source.map { " by \($0.printable)" } ?? ""
      return "\(time)  \(title(cleared.title)): \(ended(cleared.reason))\(by)"
    case .missed(let missed):
      let due = Wording.time(missed.due, in: zone, now: session.now())
      return "\(time)  \(title(missed.title)): missed, was due \(due) (\(why(missed.reason)))"
    case .secondary:
      return "\(time)  a secondary button was pressed"
    case .sync(let shown) where !shown.isEmpty:
      return shown.compactMap { line(.present($0), zone: zone, session: session) }
        .joined(separator: "\n")
    case .hello, .sync, .ping, .bye, .unknown:
      return nil
    }
  }

  /// How a presentation ended.
  static func ended(_ reason: ClearReason) -> String {
    switch reason {
    case .stopped: "stopped"
    case .cancelled: "cancelled"
    case .disabled: "disabled"
    case .unanswered: "rang, and nobody answered"
    case .missed: "missed: nobody answered"
    case .merged: "the next time took its place"
    case .clock: "rang on a wrong clock, and rings again at the real time"
    case .refused: "could not be stored, so it was not accepted"
    }
  }

  private static func why(_ reason: MissedReason) -> String {
    switch reason {
    case .late: "nothing ran then, or the clock was set past it"
    case .unanswered: "nobody answered"
    case .zone: "the time zone changed"
    }
  }
}

import SinkKit

/// What one line says, before it is cut to a width and coloured.
struct ConsoleLine: Equatable {
  /// What sort of news it is, which decides the colour.
  enum Tone: Equatable { case alert, waiting, trouble, over }

  /// What happened: `ALARM`, `SNOOZED`.
  var word: String
  /// The colour's meaning.
  var tone: Tone
  /// When it goes on, right after the word: `until 07:18:05`.
  var until: String?
  /// What of: the part that is cut if the line is too long.
  var title: String
  /// The rest: ` (4 min late)  (stop, snooze)`.
  var tail = ""
  /// Whether it is a sentence that is worth more than one line of the terminal.
  var isWhole = false
}

/// Finds the words for events.
struct ConsoleWording {
  let time: LocalTimeText

  /// The alarm's title made harmless, or what it is and when.
  func name(of presentation: Presentation) -> String {
    let title = HarmlessText.oneLine(presentation.title)
    if !title.isEmpty { return title }
    return presentation.kind == .timer ? "Timer" : "Alarm \(time.withMinutes(presentation.due))"
  }

  /// The line for a presentation; nil if it says nothing new.
  func line(
    for presentation: Presentation,
    after previous: Presentation?,
    now: Instant
  ) -> ConsoleLine? {
    if let previous, isSame(previous, presentation) { return nil }
    let name = name(of: presentation)
    switch presentation.state {
    case .alerting:
      return alert(presentation, name: name)
    case .countdown, .scheduled:
      guard let countdown = presentation.countdown, let fire = countdown.fire else { return nil }
      let left = DurationText.clock(DurationText.secondsLeft(fire - now))
      let word =
        previous?.state == .paused ? "RESUMED" : countdown.snooze ? "SNOOZED" : "COUNTING"
      return ConsoleLine(
        word: word,
        tone: .waiting,
        until: "until \(time.withSeconds(fire))",
        title: name,
        tail: countdown.snooze ? "" : " (\(left))"
      )
    case .paused:
      let left = presentation.countdown.map { DurationText.duration($0.total - $0.elapsed) }
      let text = DurationText.clock(DurationText.secondsLeft(left ?? .zero))
      return ConsoleLine(word: "PAUSED", tone: .waiting, title: name, tail: " (\(text) left)")
    }
  }

  /// The line for the end of a presentation; nil if nobody asked for it, or it goes on elsewhere.
  func line(for withdrawal: Withdrawal, of presentation: Presentation?) -> ConsoleLine? {
    guard let reason = withdrawal.reason, reason != .rerouted else { return nil }
    let title = HarmlessText.oneLine(withdrawal.title)
    let name = title.isEmpty ? presentation.map { self.name(of: $0) } ?? "Alarm" : title
    let source = withdrawal.source.map { HarmlessText.oneLine($0, limit: 40) } ?? ""
    let by = source.isEmpty ? "" : " by \(source)"
    let (word, tone, tail): (String, ConsoleLine.Tone, String) =
      switch reason {
      case .stopped: ("STOPPED", .over, by)
      case .cancelled: ("CANCELLED", .over, by)
      case .disabled: ("DISABLED", .over, by)
      case .unanswered: ("ENDED", .trouble, " (nobody answered)")
      case .missed: ("MISSED", .trouble, " (nobody answered)")
      case .merged: ("MERGED", .over, " (its next time has come)")
      case .clock: ("VOID", .trouble, " (the clock was wrong; it rings again)")
      case .refused: ("REFUSED", .trouble, " (it could not be stored)")
      case .other, .rerouted: ("ENDED", .over, by)
      }
    return ConsoleLine(word: word, tone: tone, title: name, tail: tail)
  }

  /// The line for an alarm that reached nobody.
  func line(for missed: SinkMessage.Missed, now: Instant) -> ConsoleLine {
    let title = HarmlessText.oneLine(missed.title)
    let late = Double((now - missed.due).components.seconds)
    let tail =
      switch missed.reason {
      case .late: DurationText.late(late).map { " (\($0))" } ?? ""
      case .unanswered: " (nobody answered)"
      case .zone: " (its time does not come in the new time zone)"
      }
    return ConsoleLine(
      word: "MISSED",
      tone: .trouble,
      title: "\(time.withMinutes(missed.due)) \(title.isEmpty ? "Alarm" : title)",
      tail: tail
    )
  }

  /// The line for what a person should know beside alarms.
  func line(for notice: SinkMessage.Notice) -> ConsoleLine {
    let (word, tone): (String, ConsoleLine.Tone) =
      switch notice.level {
      case .critical: ("TROUBLE", .trouble)
      case .warning: ("WARNING", .trouble)
      case .info: ("NOTICE", .over)
      }
    return ConsoleLine(
      word: word,
      tone: tone,
      title: HarmlessText.oneLine(notice.text),
      isWhole: true
    )
  }

  private func alert(_ presentation: Presentation, name: String) -> ConsoleLine {
    var line = ConsoleLine(
      word: presentation.kind == .timer ? "TIMER" : "ALARM",
      tone: .alert,
      title: name
    )
    if let late = presentation.late.flatMap({ DurationText.late($0) }) {
      let isNamed = !HarmlessText.oneLine(presentation.title).isEmpty
      if isNamed { line.title = "\(time.withMinutes(presentation.due)) \(name)" }
      line.tail = " (\(late))"
    }
    if presentation.resumed == true { line.tail += " (still ringing)" }
    let answers = presentation.buttons.map { button in
      guard button.role == .secondary else { return button.role.rawValue }
      let text = TextWidth.cut(HarmlessText.oneLine(button.text, limit: 100), to: 20)
      return text.isEmpty ? button.role.rawValue : text
    }
    if !answers.isEmpty { line.tail += "  (\(answers.joined(separator: ", ")))" }
    return line
  }

  private func isSame(_ left: Presentation, _ right: Presentation) -> Bool {
    var left = left
    left.seq = right.seq
    left.resumed = right.resumed
    // How loud and with which parts is nothing to be seen here.
    left.parts = right.parts
    left.volumeLimit = right.volumeLimit
    return left == right
  }
}

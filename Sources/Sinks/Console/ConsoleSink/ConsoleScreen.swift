import SinkKit

/// What happened, as the console shows it.
enum ConsoleEvent {
  case present(Presentation)
  case clear(Withdrawal)
  case missed(SinkMessage.Missed)
  case notice(SinkMessage.Notice)
}

/// What stands on a console: events in, text to write out.
///
/// Pure. Lines scroll; on a terminal, below them one line lives while countdowns run, redrawn in place.
struct ConsoleScreen {
  /// What the output can bear and the person wants.
  struct Look: Equatable {
    /// Whether words are coloured.
    var color = false
    /// Whether there is a live line.
    var live = false
    /// Whether the terminal's bell rings with alerts.
    var bell = false
  }

  /// Between two strokes of the bell.
  static let bellInterval = Duration.seconds(3)
  /// The widest title where the output has no width.
  static let columnsOfTitle = 100

  private struct Shown {
    var presentation: Presentation
    /// When the countdown ends in elapsed time, which a step of the wall clock does not move.
    var deadline: Duration?
  }

  let look: Look
  private let wording: ConsoleWording
  private var shown: [Shown] = []
  private var isLiveDrawn = false
  private var nextBell: Duration?
  /// The occurrence last said to be missed, which is told by two events.
  private var lastMissed: OccurrenceID?

  init(look: Look, time: LocalTimeText) {
    self.look = look
    wording = ConsoleWording(time: time)
  }

  /// The text that shows an event; empty if it changes nothing to be seen.
  ///
  /// The columns are the width of the terminal; nil if the output has none.
  mutating func show(_ event: ConsoleEvent, at moment: Moment, columns: Int?) -> String {
    let wasRinging = isRinging
    let line = take(event, at: moment)
    var text = ""
    if let line { text = erased() + render(line, at: moment, columns: columns) + "\n" }
    if look.bell {
      var strikes = !wasRinging && isRinging
      if case .present(let presentation) = event, line != nil, rings(presentation) {
        strikes = true
      }
      if strikes {
        text += "\u{7}"
        nextBell = moment.elapsed + Self.bellInterval
      } else if !isRinging {
        nextBell = nil
      }
    }
    return text + drawn(at: moment, columns: columns)
  }

  /// The text that brings the live line and the bell up to the moment.
  mutating func refresh(at moment: Moment, columns: Int?) -> String {
    var text = ""
    if let due = nextBell, due <= moment.elapsed {
      text = "\u{7}"
      nextBell = moment.elapsed + Self.bellInterval
    }
    return text + drawn(at: moment, columns: columns)
  }

  /// When `refresh` is next needed, in elapsed time; nil while nothing moves.
  func nextRefresh(after elapsed: Duration) -> Duration? {
    [nextBell, nextSecond(after: elapsed)].compactMap { $0 }.min()
  }

  /// The text that leaves the terminal as it was found.
  mutating func close() -> String { erased(showingCursor: true) }

  /// A line of somebody else's above the live line.
  mutating func note(_ text: String, at moment: Moment, columns: Int?) -> String {
    erased() + text + "\n" + drawn(at: moment, columns: columns)
  }

  // MARK: State

  private var isRinging: Bool { shown.contains { rings($0.presentation) } }

  private func rings(_ presentation: Presentation) -> Bool {
    presentation.state == .alerting && presentation.options.sound != "none"
  }

  private mutating func take(_ event: ConsoleEvent, at moment: Moment) -> ConsoleLine? {
    switch event {
    case .present(let presentation):
      lastMissed = nil
      let index = shown.firstIndex { $0.presentation.occurrence == presentation.occurrence }
      let previous = index.map { shown[$0].presentation }
      let fire = presentation.state == .countdown ? presentation.countdown?.fire : nil
      let entry = Shown(
        presentation: presentation,
        deadline: fire.map { moment.elapsed + ($0 - moment.now) }
      )
      if let index { shown[index] = entry } else { shown.append(entry) }
      return wording.line(for: presentation, after: previous, now: moment.now)
    case .clear(let withdrawal):
      let index = shown.firstIndex { $0.presentation.occurrence == withdrawal.occurrence }
      let previous = index.map { shown.remove(at: $0).presentation }
      if withdrawal.reason == .missed, isRepeatedMiss(withdrawal.occurrence) { return nil }
      return wording.line(for: withdrawal, of: previous)
    case .missed(let missed):
      if missed.reason == .unanswered, isRepeatedMiss(missed.occurrence) { return nil }
      return wording.line(for: missed, now: moment.now)
    case .notice(let notice):
      return wording.line(for: notice)
    }
  }

  private mutating func isRepeatedMiss(_ occurrence: OccurrenceID) -> Bool {
    defer { lastMissed = lastMissed == occurrence ? nil : occurrence }
    return lastMissed == occurrence
  }

  // MARK: Lines

  private func render(_ line: ConsoleLine, at moment: Moment, columns: Int?) -> String {
    let word = line.until == nil ? line.word.padded(to: 9) : line.word
    // A narrow screen is better used for the title.
    let isNarrow = columns.map { $0 < 32 } ?? false
    let before = isNarrow ? "" : "\(wording.time.withSeconds(moment.now))  "
    let after = (line.until.map { " \($0)" } ?? "") + " "
    if line.isWhole { return before + colored(word, line.tone) + after + line.title }
    var tail = line.tail
    var room = Self.columnsOfTitle
    if let columns {
      let taken = TextWidth.columns(before) + TextWidth.columns(word) + TextWidth.columns(after)
      let space = max(1, columns - taken)
      // The title keeps at least half of what is there; then the tail is cut.
      room = max(space - TextWidth.columns(tail), space / 2, 1)
      let used = TextWidth.columns(TextWidth.cut(line.title, to: room))
      tail = used < space ? TextWidth.cut(tail, to: space - used) : ""
    }
    return before + colored(word, line.tone) + after + TextWidth.cut(line.title, to: room) + tail
  }

  private func colored(_ word: String, _ tone: ConsoleLine.Tone) -> String {
    guard look.color else { return word }
    let code =
      switch tone {
      case .alert: "1;31"
      case .waiting: "36"
      case .trouble: "35"
      case .over: "2"
      }
    return "\u{1B}[\(code)m\(word)\u{1B}[0m"
  }

  // MARK: The live line

  /// Takes the live line away; the cursor stays hidden unless told otherwise.
  private mutating func erased(showingCursor: Bool = false) -> String {
    guard isLiveDrawn else { return "" }
    if showingCursor { isLiveDrawn = false }
    return "\r\u{1B}[K" + (showingCursor ? "\u{1B}[?25h" : "")
  }

  private mutating func drawn(at moment: Moment, columns: Int?) -> String {
    guard look.live, let columns, let line = live(at: moment, columns: columns) else {
      return erased(showingCursor: true)
    }
    let hide = isLiveDrawn ? "" : "\u{1B}[?25l"
    isLiveDrawn = true
    return "\(hide)\r\(line)\u{1B}[K"
  }

  /// The countdown that rings next, and how many others run; nil without one.
  private func live(at moment: Moment, columns: Int) -> String? {
    let running = shown.filter { $0.deadline != nil }
    guard
      let next = running.min(by: { ($0.deadline ?? .zero) < ($1.deadline ?? .zero) }),
      let deadline = next.deadline
    else { return nil }
    let width = columns - 1  // the last column would wrap on some terminals
    let remaining = deadline - moment.elapsed
    var right = "  " + DurationText.clock(DurationText.secondsLeft(remaining))
    let others = running.count > 1 ? "  +\(running.count - 1)" : ""
    let total = next.presentation.countdown?.total ?? 0
    if columns >= 40, total > 0 {
      let room = width - TextWidth.columns(right) - TextWidth.columns(others) - 16
      let done = 1 - Double(max(remaining, .zero) / .milliseconds(1)) / (total * 1_000)
      right += "  " + Self.bar(done, columns: min(30, room))
    }
    right += others
    let room = width - TextWidth.columns(right)
    guard room > 0 else { return TextWidth.cut(right, to: max(1, width)) }
    return TextWidth.cut(wording.name(of: next.presentation), to: min(room, 60)) + right
  }

  private static func bar(_ fraction: Double, columns: Int) -> String {
    let inner = max(4, columns - 2)
    let filled = Int((min(max(fraction, 0), 1) * Double(inner)).rounded(.down))
    return "[" + String(repeating: "=", count: filled)
      + String(repeating: "-", count: inner - filled) + "]"
  }

  /// When the shown number of seconds next changes; nil without a live line or at 0:00.
  private func nextSecond(after elapsed: Duration) -> Duration? {
    guard look.live, let deadline = shown.compactMap(\.deadline).min() else { return nil }
    let left = DurationText.secondsLeft(deadline - elapsed)
    return left > 0 ? deadline - .seconds(left - 1) : nil
  }
}

extension String {
  fileprivate func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - TextWidth.columns(self)))
  }
}

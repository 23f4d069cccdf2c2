import AlarmKit

/// The program's own sink: shows the alarm, and gives the answer of whoever sits before it.
struct Bedside: AlarmManager.Sink {
  let name = "bedside"

  func present(_ presentation: AlarmManager.SinkPresentation) async throws {
    guard case .alert = presentation.state.mode else { return }
    let dose = presentation.attributes(metadata: DoseInfo.self)?.metadata
    let buttons = presentation.buttons.map { "[\(String(localized: $0.button.text))]" }
    say("\(presentation.title), \(dose?.amount ?? "") \(buttons.joined(separator: " "))")
    // Not waited for here: this returns when the alarm is shown.
    Thread.detachNewThread {
      // Without a terminal the person takes it at once.
      let isTerminal = isatty(STDIN_FILENO) == 1
      let answer = isTerminal ? readLine() : "t"
      if !isTerminal { say("> taken") }
      presentation.press(answer == "t" ? .secondary : .stop)
    }
  }

  /// What was printed cannot be taken back.
  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) async {}
}

import AlarmKit

/// The program's own sink: a line for each state, and buttons for whoever stands before it.
actor KitchenDisplay: AlarmManager.Sink {
  nonisolated let name = "kitchen display"
  /// What is shown, as it is shown.
  nonisolated let presentations: AsyncStream<AlarmManager.SinkPresentation>

  private let shown: AsyncStream<AlarmManager.SinkPresentation>.Continuation
  private let ends = AsyncStream<AlarmManager.ClearReason>.makeStream()
  private var current: AlarmManager.SinkPresentation?

  init() {
    (presentations, shown) = AsyncStream.makeStream()
  }

  /// Waits until what is shown is over, and says why it is.
  nonisolated func end() async -> AlarmManager.ClearReason? {
    await ends.stream.first { _ in true }
  }

  func present(_ presentation: AlarmManager.SinkPresentation) {
    current = presentation
    let buttons = presentation.buttons.map { "[\(String(localized: $0.button.text))]" }.joined(
      separator: " "
    )
    say("\(presentation.title): \(Self.time(presentation.state.mode)) \(buttons)")
    shown.yield(presentation)
  }

  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) {
    current = nil
    say("\(reason)")
    shown.finish()
    ends.continuation.yield(reason)
  }

  /// Presses a button of what is shown.
  func press(_ role: AlarmManager.SinkPresentation.Role) {
    current?.press(role)
  }

  private static func time(_ mode: AlarmPresentationState.Mode) -> String {
    switch mode {
    case .alert: "rings"
    case .countdown(let countdown): "\(text(countdown.fireDate.timeIntervalSinceNow)) left"
    case .paused(let paused):
      "halted, \(text(paused.totalCountdownDuration - paused.previouslyElapsedDuration)) left"
    }
  }

  private static func text(_ seconds: TimeInterval) -> String {
    let tenths = (seconds * 10).rounded() / 10
    return "\(tenths) s"
  }
}

import AlarmKit

/// The program's own sink: draws the widget for each state, and each second of a countdown anew.
actor WidgetScreen: AlarmManager.Sink {
  nonisolated let name = "terminal widget"

  private let ends = AsyncStream<Never>.makeStream()
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private var widget: TimerWidget?
  private var current: AlarmManager.SinkPresentation?
  private var ticking: Task<Void, any Error>?

  func present(_ presentation: AlarmManager.SinkPresentation) throws {
    guard let context = presentation.context(for: Brewing.self) else {
      throw NotMine(title: presentation.title)
    }
    current = presentation
    widget = TimerWidget(context: context, isColored: isTerminal)
    draw()
    ticking?.cancel()
    ticking = Task { try await follow(presentation) }
  }

  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) {
    ticking?.cancel()
    widget = nil
    current = nil
    write(isTerminal ? "\r\u{1B}[K\(reason)\n" : "\(reason)\n")
    ends.continuation.finish()
  }

  /// Waits until what is shown is over.
  nonisolated func end() async {
    for await _ in ends.stream {}
  }

  /// Presses the button that ends it.
  func stop() { current?.press(.stop) }

  private func follow(_ presentation: AlarmManager.SinkPresentation) async throws {
    switch presentation.state.mode {
    case .countdown where isTerminal:
      while true {
        try await Task.sleep(for: .seconds(1))
        draw()
      }
    case .alert where isatty(STDIN_FILENO) != 1:
      // Nobody is there to press Enter.
      try await Task.sleep(for: .seconds(1))
      stop()
    case .countdown, .paused, .alert: break
    }
  }

  private func draw() {
    guard let widget else { return }
    let text = widget.body(at: .now)
    write(isTerminal ? "\r\u{1B}[K\(text)" : "\(text)\n")
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}

/// An alarm that this widget cannot draw.
struct NotMine: Error, CustomStringConvertible {
  var title: String

  var description: String { "the widget draws tea, and \(title) is none" }
}

import AlarmKit

/// Says what it is to present.
actor TestSink: AlarmManager.Sink {
  nonisolated let name = "test sink"
  private static let shown = Shown()

  func present(_ presentation: AlarmManager.SinkPresentation) async {
    await Self.shown.show(presentation)
    let word = presentation.attributes(metadata: TestMetadata.self)?.metadata?.word ?? "?"
    let roles = presentation.buttons.map { "\($0.role)" }.joined(separator: ",")
    say("present \(presentation.id) \(Self.text(presentation.state.mode)) \(word) \(roles)")
  }

  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) {
    say("clear \(id) \(reason)")
  }

  /// Presses a button of what was shown last of an alarm.
  static func press(_ id: UUID, _ word: String) async {
    let role = AlarmManager.SinkPresentation.Role.allCases.first { "\($0)" == word }
    if let role { await shown.all[id]?.press(role) }
  }

  private static func text(_ mode: AlarmPresentationState.Mode) -> String {
    switch mode {
    case .alert: "alert"
    case .countdown: "countdown"
    case .paused: "paused"
    }
  }

  private actor Shown {
    var all: [UUID: AlarmManager.SinkPresentation] = [:]

    func show(_ presentation: AlarmManager.SinkPresentation) {
      all[presentation.id] = presentation
    }
  }
}

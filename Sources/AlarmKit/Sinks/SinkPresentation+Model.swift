import TocsinModel

extension AlarmManager.SinkPresentation {
  /// What a sink is told, as AlarmKit says it; nil for what nobody can show.
  ///
  /// - Parameters:
  ///   - presentation: what it is told.
  ///   - stored: the alarm as it was scheduled; nil if it is gone.
  ///   - send: sends a press.
  init?(
    _ presentation: Presentation,
    stored: TocsinModel.Alarm?,
    send: @escaping @Sendable (Intent) -> Void
  ) {
    guard let state = AlarmPresentationState(presentation, in: .current) else { return nil }
    self.init(
      state: state,
      title: presentation.title,
      tintColor: presentation.options.tint.flatMap { Color(hex: $0) } ?? .accentColor,
      buttons: presentation.buttons.compactMap(Button.init),
      lateness: presentation.late ?? 0,
      snoozes: presentation.snoozes,
      volumeLimit: Self.lower(presentation.options.volume, presentation.volumeLimit),
      isResumed: presentation.resumed == true,
      stored: stored,
      occurrence: presentation.occurrence,
      send: send
    )
  }

  private static func lower(_ one: Double?, _ other: Double?) -> Double? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

extension AlarmManager.SinkPresentation.Button {
  /// Nil for what no sink shows.
  fileprivate init?(_ button: TocsinModel.AlarmButton) {
    guard let role = AlarmManager.SinkPresentation.Role(button.role) else { return nil }
    self.init(role: role, button: AlarmButton(button))
  }
}

extension AlarmManager.SinkPresentation.Role {
  fileprivate init?(_ action: AlarmAction) {
    switch action {
    case .stop: self = .stop
    case .secondary: self = .secondary
    case .snooze: self = .snooze
    case .pause: self = .pause
    case .resume: self = .resume
    case .cancel, .skip, .enable, .disable, .extend, .restart: return nil
    }
  }
}

extension AlarmManager.MissedAlarm {
  init(_ missed: SinkMessage.Missed) {
    let reason: Reason =
      switch missed.reason {
      case .late: .late
      case .unanswered: .unanswered
      case .zone: .zone
      }
    self.init(
      id: UUID(missed.alarm),
      title: missed.title,
      due: Date(missed.due),
      reason: reason
    )
  }
}

extension AlarmManager.SinkNotice {
  init(_ notice: SinkMessage.Notice) {
    let level: Level =
      switch notice.level {
      case .critical: .critical
      case .warning: .warning
      case .info: .info
      }
    self.init(level: level, text: notice.text, id: notice.alarm.map { UUID($0) })
  }
}

import TocsinModel

extension AlarmManager.SinkPresentation {
  init(
    _ presentation: Presentation,
    attributes: JSONValue?,
    send: @escaping @Sendable (Intent) -> Void
  ) {
    self.init(
      state: AlarmPresentationState(presentation),
      title: presentation.title,
      tintColor: presentation.options.tint.flatMap { Color(hex: $0) } ?? .accentColor,
      buttons: presentation.buttons.compactMap(Button.init),
      lateness: presentation.late ?? 0,
      snoozes: presentation.snoozes,
      volumeLimit: Self.lower(presentation.options.volume, presentation.volumeLimit),
      isResumed: presentation.resumed == true,
      stored: attributes,
      occurrence: presentation.occurrence,
      send: send
    )
  }

  private static func lower(_ one: Double?, _ other: Double?) -> Double? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }
}

extension AlarmPresentationState {
  /// What is presented, as AlarmKit says it; times of day are the machine's.
  init(_ presentation: Presentation) {
    let mode: Mode
    switch (presentation.state, presentation.countdown) {
    case (.countdown, let countdown?):
      let fire = countdown.fire ?? presentation.due
      mode = .countdown(
        Mode.Countdown(
          totalCountdownDuration: countdown.total,
          previouslyElapsedDuration: countdown.elapsed,
          startDate: Date(countdown.start ?? fire),
          fireDate: Date(fire)
        )
      )
    case (.paused, let countdown?):
      mode = .paused(
        Mode.Paused(
          totalCountdownDuration: countdown.total,
          previouslyElapsedDuration: countdown.elapsed
        )
      )
    case (.alerting, _), (.countdown, nil), (.paused, nil), (.scheduled, _):
      let parts = Calendar.current.dateComponents([.hour, .minute], from: Date(presentation.due))
      let time = Alarm.Schedule.Relative.Time(hour: parts.hour ?? 0, minute: parts.minute ?? 0)
      mode = .alert(Mode.Alert(time: time))
    }
    self.init(alarmID: UUID(presentation.alarm), mode: mode)
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

import TocsinModel

/// What can be pressed in each state.
extension AlarmTable {
  func buttons(for entry: Entry, _ activity: Activity) -> [AlarmButton] {
    let limit = entry.chosen?.options.snoozeLimit ?? rules.snoozeLimit
    let mayBeSnoozed = limit.map { activity.snoozes < $0 } ?? true
    let builtIn: [AlarmButton] =
      switch activity.phase {
      case .alerting: mayBeSnoozed ? .stopOrSnooze : .stopOnly
      case .countdown: .pauseOrStop
      case .paused: .resumeOrStop
      }
    let own = entry.chosen?.options.buttons ?? []
    let isExact = entry.chosen?.options.exactButtons ?? false
    guard !own.isEmpty || isExact else { return builtIn }
    var buttons = builtIn.compactMap { button in
      // Whatever a program leaves out, a person can end it.
      own.first { $0.role == button.role } ?? (isExact && button.role != .stop ? nil : button)
    }
    if activity.isAlerting, let secondary = own.first(where: { $0.role == .secondary }) {
      buttons.removeAll { $0.role == .snooze }
      if mayBeSnoozed || secondary.behavior == .custom { buttons.append(secondary) }
    }
    return buttons
  }
}

// Made once, as most alarms have no others.
extension [AlarmButton] {
  fileprivate static let stopOnly = [AlarmButton(role: .stop, text: "Stop")]
  fileprivate static let stopOrSnooze = stopOnly + [AlarmButton(role: .snooze, text: "Snooze")]
  fileprivate static let pauseOrStop = [AlarmButton(role: .pause, text: "Pause")] + stopOnly
  fileprivate static let resumeOrStop = [AlarmButton(role: .resume, text: "Resume")] + stopOnly
}

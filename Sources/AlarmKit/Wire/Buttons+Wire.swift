import TocsinModel

extension AlarmManager.AlarmConfiguration {
  /// The buttons as the service knows them; a stop button that the system draws is none of them.
  var wireButtons: [TocsinModel.AlarmButton] {
    let presentation = attributes.presentation
    var buttons: [TocsinModel.AlarmButton] = []
    if !presentation.alert.stopButton.isSystemStop {
      buttons.append(presentation.alert.stopButton.wire(.stop))
    }
    if let secondary = presentation.alert.secondaryButton {
      buttons.append(secondary.wire(.secondary, secondaryBehavior(of: secondary)))
    }
    if let pause = presentation.countdown?.pauseButton { buttons.append(pause.wire(.pause)) }
    if let resume = presentation.paused?.resumeButton { buttons.append(resume.wire(.resume)) }
    return buttons
  }

  /// What the system does when the secondary button is pressed.
  ///
  /// What the alert says; else what the button is for; else it snoozes where a snooze has a length, leaves the
  /// answer to the secondary intent where there is one, and snoozes where there is not: no button does nothing.
  private func secondaryBehavior(of button: AlarmButton) -> TocsinModel.AlarmButton.Behavior {
    switch attributes.presentation.alert.secondaryButtonBehavior {
    case .countdown: return .countdown
    case .custom: return .custom
    case nil: break
    }
    switch button.purpose {
    case .snooze, .repeat: return .countdown
    case .openApp: return .custom
    case .stop, nil: break
    }
    if countdownDuration?.postAlert != nil { return .countdown }
    return secondaryIntent == nil ? .countdown : .custom
  }
}

extension AlarmButton {
  func wire(
    _ role: AlarmAction,
    _ behavior: TocsinModel.AlarmButton.Behavior? = nil
  ) -> TocsinModel.AlarmButton {
    TocsinModel.AlarmButton(
      role: role,
      text: String(localized: text),
      color: textColor.hex,
      symbol: systemImageName.isEmpty ? nil : systemImageName,
      behavior: behavior
    )
  }

  /// A button that the service knows.
  init(_ button: TocsinModel.AlarmButton) {
    self.init(
      label: LocalizedStringResource(stringLiteral: button.text),
      systemImageName: button.symbol ?? "",
      textColor: button.color.flatMap { Color(hex: $0) } ?? .white
    )
  }
}

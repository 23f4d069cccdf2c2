import ActivityKit
import AppIntents
package import TocsinModel
package import TocsinTime

extension AlarmManager.AlarmConfiguration {
  /// The configuration that an alarm was scheduled with, with what has been changed in it since by other means.
  ///
  /// - Parameters:
  ///   - alarm: the alarm as the service has it.
  ///   - next: when it is due next, for a schedule that Apple has no words for.
  /// - Throws: `DecodingError` if its metadata is of another type, `IntentCodingError` if the program has not the
  ///   types of its intents.
  package init(_ alarm: TocsinModel.Alarm, next: Instant? = nil) throws {
    let options = alarm.options
    let kept = try alarm.kept
    var presentation = kept?.presentation ?? AlarmPresentation(alarm)
    // Somebody may have given it another name since.
    if String(localized: presentation.alert.title) != alarm.title {
      presentation.alert.title = LocalizedStringResource(stringLiteral: alarm.title)
    }
    let metadata: Metadata? =
      if let json = kept?.metadata {
        try JSONDecoder().decode([Metadata].self, from: Data(json.utf8)).first
      } else {
        try options.metadata.map { try $0.decoded() }
      }
    self.init(
      countdownDuration: Alarm.CountdownDuration(alarm.countdown),
      schedule: alarm.said(next: next),
      attributes: AlarmAttributes(
        presentation: presentation,
        metadata: metadata,
        tintColor: options.tint.flatMap { Color(hex: $0) } ?? .accentColor
      ),
      appEntityIdentifier: kept?.entity,
      stopIntent: try options.intents?.stop?.intent(),
      secondaryIntent: try options.intents?.secondary?.intent(),
      sound: AlertConfiguration.AlertSound(options)
    )
    if let said = kept?.sound, said.file == options.sound {
      sound = .named(said.name)
      sound.volume = options.volume
      sound.fade = options.fade
    }
    ringDuration = options.ringFor
    snoozeLimit = options.snoozeLimit
    autoSnooze = options.autoSnooze
    priority = options.priority
    labels = options.labels ?? []
    isEnabled = alarm.isEnabled
  }
}

extension AlarmPresentation {
  /// What is shown of an alarm that was scheduled by other means.
  init(_ alarm: TocsinModel.Alarm) {
    func button(_ role: AlarmAction) -> TocsinModel.AlarmButton? {
      alarm.options.buttons?.first { $0.role == role }
    }
    func text(_ text: String) -> LocalizedStringResource {
      LocalizedStringResource(stringLiteral: text)
    }
    let secondary = button(.secondary) ?? button(.snooze)
    self.init(
      alert: Alert(
        title: text(alarm.title),
        stopButton: button(.stop).map { AlarmButton($0) } ?? .systemStop,
        secondaryButton: secondary.map { AlarmButton($0) },
        secondaryButtonBehavior: secondary.map { $0.behavior == .custom ? .custom : .countdown }
      )
    )
    let titles = alarm.options.titles
    if titles?.countdown != nil || button(.pause) != nil {
      countdown = Countdown(
        title: text(titles?.countdown ?? alarm.title),
        pauseButton: button(.pause).map { AlarmButton($0) }
      )
    }
    if titles?.paused != nil || button(.resume) != nil {
      paused = Paused(
        title: text(titles?.paused ?? alarm.title),
        resumeButton: button(.resume).map { AlarmButton($0) } ?? AlarmButton(label: "Resume")
      )
    }
  }
}

extension Alarm.CountdownDuration {
  /// The durations; nil if both are left out.
  init?(_ countdown: TocsinModel.CountdownDuration) {
    if countdown == TocsinModel.CountdownDuration() { return nil }
    self.init(preAlert: countdown.preAlert, postAlert: countdown.postAlert)
  }
}

package import TocsinModel
import TocsinTime

extension AlarmManager.AlarmConfiguration {
  /// The alarm as the service knows it.
  ///
  /// What cannot be meant is refused here and nothing is bent. Unlike Apple's, nothing is refused for what is shown: a
  /// timer needs no countdown presentation, nor the other way round.
  ///
  /// - Parameters:
  ///   - id: the alarm's identity.
  ///   - sounds: where the program's own sounds are, the first one first: `AlarmSounds.folders(of:)`.
  /// - Returns: the alarm, which belongs to no program yet.
  /// - Throws: `AlarmConfigurationError`, or `IntentCodingError`.
  package func alarm(
    id: UUID,
    sounds: [String] = AlarmSounds.folders(of: ProcessInfo.processInfo.processName)
  ) throws -> TocsinModel.Alarm {
    if schedule == nil, countdownDuration?.preAlert == nil {
      throw AlarmConfigurationError.noTime
    }
    try check()
    return TocsinModel.Alarm(
      id: AlarmID(id),
      title: String(localized: attributes.presentation.alert.title),
      schedule: try schedule?.wire(),
      countdown: TocsinModel.CountdownDuration(
        preAlert: countdownDuration?.preAlert,
        postAlert: countdownDuration?.postAlert
      ),
      isEnabled: isEnabled,
      options: try options(sounds)
    )
  }

  private func options(_ sounds: [String]) throws -> AlarmOptions {
    let presentation = attributes.presentation
    var options = AlarmOptions()
    options.sound = try sound.wire(sounds)
    options.volume = sound.volume
    options.fade = sound.fade
    options.priority = priority
    options.labels = labels.isEmpty ? nil : labels
    options.tint = attributes.tintColor.hex
    options.buttons = wireButtons
    options.exactButtons = true
    options.snoozeLimit = snoozeLimit
    options.ringFor = ringDuration
    options.autoSnooze = autoSnooze
    let titles = AlarmOptions.Titles(
      countdown: presentation.countdown.map { String(localized: $0.title) },
      paused: presentation.paused.map { String(localized: $0.title) }
    )
    options.titles = titles == AlarmOptions.Titles() ? nil : titles
    let intents = AlarmIntents(
      stop: try stopIntent.map { try IntentCall($0) },
      secondary: try secondaryIntent.map { try IntentCall($0) }
    )
    options.intents = intents == AlarmIntents() ? nil : intents
    options.metadata = try wireMetadata()
    options.attributes = try wireAttributes(file: options.sound)
    return options
  }

  private func wireMetadata() throws(AlarmConfigurationError) -> JSONValue? {
    guard let metadata = attributes.metadata else { return nil }
    do { return try JSONValue(encoding: metadata) } catch { throw .metadata("\(error)") }
  }

  private func wireAttributes(file: String?) throws(AlarmConfigurationError) -> JSONValue {
    do {
      var kept = KeptConfiguration(attributes.presentation, schedule)
      if case .named(let name) = sound.source, let file {
        kept.sound = KeptConfiguration.Sound(name: name, file: file)
      }
      if let metadata = attributes.metadata {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode([metadata]), as: UTF8.self)
        if JSONValue.rounds(json) { kept.metadata = json }
      }
      kept.entity = appEntityIdentifier
      return try JSONValue(encoding: kept)
    } catch {
      throw .presentation("\(error)")
    }
  }
}

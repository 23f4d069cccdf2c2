public import ActivityKit
public import AppIntents

extension AlarmManager {
  /// All that is asked for with an alarm.
  public struct AlarmConfiguration<Metadata: AlarmMetadata>: Sendable {
    /// The countdown before it rings and the snooze after it.
    public var countdownDuration: Alarm.CountdownDuration?
    /// When it rings; nil for a timer.
    public var schedule: Alarm.Schedule?
    /// How it is shown.
    public var attributes: AlarmAttributes<Metadata>
    /// What thing of the program's it is about.
    public var appEntityIdentifier: EntityIdentifier?
    /// What the program does after a person has stopped it.
    public var stopIntent: (any LiveActivityIntent)?
    /// What the program does after a person has pressed the secondary button.
    public var secondaryIntent: (any LiveActivityIntent)?
    /// What is heard.
    public var sound: AlertConfiguration.AlertSound
    /// What Apple's configuration has no word for.
    var extras = AlarmExtras()

    /// Puts together an alarm, a timer, or an alarm with a countdown before it.
    ///
    /// - Parameters:
    ///   - countdownDuration: the countdown before it rings and the snooze after it.
    ///   - schedule: when it rings; nil for a timer, whose `preAlert` begins at once.
    ///   - attributes: how it is shown.
    ///   - appEntityIdentifier: what thing of the program's it is about.
    ///   - stopIntent: what the program does after a person has stopped it.
    ///   - secondaryIntent: what the program does after a person has pressed the secondary button.
    ///   - sound: what is heard.
    public init(
      countdownDuration: Alarm.CountdownDuration? = nil,
      schedule: Alarm.Schedule? = nil,
      attributes: AlarmAttributes<Metadata>,
      appEntityIdentifier: EntityIdentifier? = nil,
      stopIntent: (any LiveActivityIntent)? = nil,
      secondaryIntent: (any LiveActivityIntent)? = nil,
      sound: AlertConfiguration.AlertSound = .default
    ) {
      self.countdownDuration = countdownDuration
      self.schedule = schedule
      self.attributes = attributes
      self.appEntityIdentifier = appEntityIdentifier
      self.stopIntent = stopIntent
      self.secondaryIntent = secondaryIntent
      self.sound = sound
    }

    /// Puts together an alarm on the clock.
    ///
    /// - Parameters:
    ///   - schedule: when it rings.
    ///   - attributes: how it is shown.
    ///   - appEntityIdentifier: what thing of the program's it is about.
    ///   - stopIntent: what the program does after a person has stopped it.
    ///   - secondaryIntent: what the program does after a person has pressed the secondary button.
    ///   - sound: what is heard.
    /// - Returns: the configuration.
    public static func alarm(
      schedule: Alarm.Schedule? = nil,
      attributes: AlarmAttributes<Metadata>,
      appEntityIdentifier: EntityIdentifier? = nil,
      stopIntent: (any LiveActivityIntent)? = nil,
      secondaryIntent: (any LiveActivityIntent)? = nil,
      sound: AlertConfiguration.AlertSound = .default
    ) -> AlarmManager.AlarmConfiguration<Metadata> {
      AlarmConfiguration(
        schedule: schedule,
        attributes: attributes,
        appEntityIdentifier: appEntityIdentifier,
        stopIntent: stopIntent,
        secondaryIntent: secondaryIntent,
        sound: sound
      )
    }

    /// Puts together a timer, which begins to count as soon as it is scheduled.
    ///
    /// - Parameters:
    ///   - duration: its length in seconds; above 0.
    ///   - attributes: how it is shown.
    ///   - appEntityIdentifier: what thing of the program's it is about.
    ///   - stopIntent: what the program does after a person has stopped it.
    ///   - secondaryIntent: what the program does after a person has pressed the secondary button.
    ///   - sound: what is heard.
    /// - Returns: the configuration.
    public static func timer(
      duration: TimeInterval,
      attributes: AlarmAttributes<Metadata>,
      appEntityIdentifier: EntityIdentifier? = nil,
      stopIntent: (any LiveActivityIntent)? = nil,
      secondaryIntent: (any LiveActivityIntent)? = nil,
      sound: AlertConfiguration.AlertSound = .default
    ) -> AlarmManager.AlarmConfiguration<Metadata> {
      AlarmConfiguration(
        countdownDuration: Alarm.CountdownDuration(preAlert: duration, postAlert: nil),
        attributes: attributes,
        appEntityIdentifier: appEntityIdentifier,
        stopIntent: stopIntent,
        secondaryIntent: secondaryIntent,
        sound: sound
      )
    }
  }
}

extension AlertConfiguration {
  /// What is heard.
  ///
  /// Two sounds are equal if they are asked for in the same words.
  public struct AlertSound: Equatable, Hashable, Sendable {
    /// What is played.
    package var source: Source
    /// How loud, 0...1; nil as the system is set.
    package var volume: Double?
    /// Seconds over which it grows to its volume; nil as the system is set.
    package var fade: Double?

    /// What is played.
    package enum Source: Hashable, Sendable {
      /// What is set for alarms.
      case system
      /// A file of the program's own, or a sound of the sound theme.
      case named(String)
      /// Nothing.
      case silence
    }

    package init(_ source: Source, volume: Double? = nil, fade: Double? = nil) {
      self.source = source
      self.volume = volume
      self.fade = fade
    }

    /// The sound that is set for alarms.
    public static var `default`: AlertConfiguration.AlertSound { AlertSound(.system) }

    /// A sound of the program's own, or one of the sound theme.
    ///
    /// - Parameter name: a file's name in the program's resources, such as `bell.wav`; no folder may be named.
    /// - Returns: the sound; it is looked for when the alarm is scheduled.
    public static func named(_ name: String) -> AlertConfiguration.AlertSound {
      AlertSound(.named(name))
    }
  }
}

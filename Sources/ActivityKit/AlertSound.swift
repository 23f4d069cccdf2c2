extension AlertConfiguration {
  /// What is heard.
  public struct AlertSound: Equatable, Sendable {
    /// The name it was given; nil for the system's.
    package var name: String?

    package init(name: String?) { self.name = name }

    /// The sound that is set for alarms.
    public static var `default`: AlertConfiguration.AlertSound { AlertSound(name: nil) }

    /// A sound of the program's own, or one of the sound theme.
    ///
    /// - Parameter name: a file's name in the program's resources, such as `bell.wav`; folders are not searched
    ///   through and none may be named.
    /// - Returns: the sound; whether there is one is looked up when the alarm is scheduled.
    public static func named(_ name: String) -> AlertConfiguration.AlertSound {
      AlertSound(name: name)
    }
  }
}

// Beyond Apple's: alarms that only show, and how loud the others are.
extension AlertConfiguration.AlertSound {
  /// Nothing is heard: the alarm shows, lights and whatever else there is, but plays no sound.
  public static var none: AlertConfiguration.AlertSound { Self(.silence) }

  /// The same sound, that loud.
  ///
  /// - Parameter volume: 0...1, of what the sink's own volume is; an alarm with another is refused.
  /// - Returns: the sound.
  public func volume(_ volume: Double) -> AlertConfiguration.AlertSound {
    Self(source, volume: volume, fade: fade)
  }

  /// The same sound, growing to its volume.
  ///
  /// - Parameter duration: 0 s to 1 h; an alarm with another is refused.
  /// - Returns: the sound.
  public func fadeIn(over duration: Duration) -> AlertConfiguration.AlertSound {
    let (seconds, attoseconds) = duration.components
    return fadeIn(over: Double(seconds) + Double(attoseconds) * 1e-18)
  }

  /// The same sound, growing to its volume.
  ///
  /// - Parameter seconds: 0...3600; an alarm with another is refused.
  /// - Returns: the sound.
  public func fadeIn(over seconds: Double) -> AlertConfiguration.AlertSound {
    Self(source, volume: volume, fade: seconds)
  }
}

/// What is shown of an alarm while it rings, counts or is halted.
public struct AlarmPresentation: Codable, Sendable {
  /// While it rings.
  public var alert: Alert
  /// While it counts down; nil shows the alert's title.
  public var countdown: Countdown?
  /// While its countdown is halted; nil shows the alert's title.
  public var paused: Paused?

  /// Puts together what is shown.
  ///
  /// - Parameters:
  ///   - alert: while it rings.
  ///   - countdown: while it counts down.
  ///   - paused: while its countdown is halted.
  public init(alert: Alert, countdown: Countdown? = nil, paused: Paused? = nil) {
    self.alert = alert
    self.countdown = countdown
    self.paused = paused
  }

  /// What is shown while an alarm counts down.
  public struct Countdown: Codable, Sendable {
    /// What it is for.
    public var title: LocalizedStringResource
    /// Halts the countdown; nil without.
    public var pauseButton: AlarmButton?

    /// Puts together what is shown.
    ///
    /// - Parameters:
    ///   - title: what it is for.
    ///   - pauseButton: halts the countdown; nil without.
    public init(title: LocalizedStringResource, pauseButton: AlarmButton? = nil) {
      self.title = title
      self.pauseButton = pauseButton
    }
  }

  /// What is shown while a countdown is halted.
  public struct Paused: Codable, Sendable {
    /// What it is for.
    public var title: LocalizedStringResource
    /// Goes on counting.
    public var resumeButton: AlarmButton

    /// Puts together what is shown.
    ///
    /// - Parameters:
    ///   - title: what it is for.
    ///   - resumeButton: goes on counting.
    public init(title: LocalizedStringResource, resumeButton: AlarmButton) {
      self.title = title
      self.resumeButton = resumeButton
    }
  }
}

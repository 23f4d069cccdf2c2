// Beyond Apple's: what happens when nobody answers, and who is heard first.
extension AlarmManager.AlarmConfiguration {
  /// Seconds that it rings unanswered before it snoozes itself or counts as missed.
  ///
  /// 0 rings until answered, at most 400 days; nil as the system is set.
  public var ringDuration: TimeInterval? {
    get { extras.ringDuration }
    set { extras.ringDuration = newValue }
  }

  /// How often a person may snooze it, 0...1000; 0 never, nil as the system is set.
  public var snoozeLimit: Int? {
    get { extras.snoozeLimit }
    set { extras.snoozeLimit = newValue }
  }

  /// How often it snoozes itself unanswered before it counts as missed, 0...1000; nil as the system is set.
  public var autoSnooze: Int? {
    get { extras.autoSnooze }
    set { extras.autoSnooze = newValue }
  }

  /// Who is heard when several ring: the higher, -100...100; nil is 0.
  public var priority: Int? {
    get { extras.priority }
    set { extras.priority = newValue }
  }

  /// Words that routes, filters and silences know it by.
  public var labels: [String] {
    get { extras.labels }
    set { extras.labels = newValue }
  }

  /// False keeps the alarm but lets it neither count nor ring.
  public var isEnabled: Bool {
    get { extras.isEnabled }
    set { extras.isEnabled = newValue }
  }

  /// The same configuration after a change: `.alarm(…).with { $0.ringDuration = 60 }`.
  ///
  /// - Parameter change: what is to be otherwise.
  /// - Returns: the changed one.
  public func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

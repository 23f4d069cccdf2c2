extension AlarmManager {
  /// Why an alarm was not taken, as far as Apple names reasons.
  public enum AlarmError: Error, Equatable, Hashable, Sendable {
    /// There are as many alarms as may be.
    case maximumLimitReached
  }
}

extension AlarmManager {
  /// Whether the program may set alarms.
  public enum AuthorizationState: Codable, Equatable, Hashable, Sendable {
    /// It has not asked yet.
    case notDetermined
    /// It may not.
    case denied
    /// It may.
    case authorized
  }
}

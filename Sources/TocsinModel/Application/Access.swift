/// Whether a program may set alarms, as AlarmKit's `AuthorizationState`.
public enum Access: String, Codable, Sendable, CaseIterable {
  /// It has not asked yet.
  case notDetermined
  /// plugins.conf says no.
  case denied
  /// It may.
  case authorized
}

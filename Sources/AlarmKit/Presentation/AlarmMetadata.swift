/// What a program wants back with each event of its alarm.
public protocol AlarmMetadata: Decodable, Encodable, Hashable, Sendable {}

/// The metadata of an alarm without any.
public struct NoMetadata: AlarmMetadata {
  /// Makes nothing.
  public init() {}
}

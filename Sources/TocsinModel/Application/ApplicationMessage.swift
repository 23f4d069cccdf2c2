/// A line from the daemon to a program that has joined, beside those that every client may get.
public enum ApplicationMessage: Hashable, Sendable {
  /// One of its alarms is new, or is otherwise than before.
  case changed(AlarmStatus)
  /// One of its alarms is no more.
  case removed(AlarmID)
  /// A person answered, and the program's intent is to run; answered by `performed`.
  case perform(PendingIntent)
  /// plugins.conf now says otherwise about the program.
  case authorization(Access)

  /// The types of these lines.
  package static let types: Set = ["changed", "removed", "perform", "authorization"]
}

extension ApplicationMessage: Codable {
  private enum CodingKeys: String, CodingKey { case type, alarm, access }

  /// Decodes the message that `type` names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "changed": self = .changed(try container.decode(AlarmStatus.self, forKey: .alarm))
    case "removed": self = .removed(try container.decode(AlarmID.self, forKey: .alarm))
    case "perform": self = .perform(try PendingIntent(from: decoder))
    case "authorization":
      self = .authorization(try container.decode(Access.self, forKey: .access))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .type,
        in: container,
        debugDescription: "not for a program: \(type)"
      )
    }
  }

  /// Encodes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .changed(let status):
      try container.encode("changed", forKey: .type)
      try container.encode(status, forKey: .alarm)
    case .removed(let id):
      try container.encode("removed", forKey: .type)
      try container.encode(id, forKey: .alarm)
    case .perform(let intent):
      try container.encode("perform", forKey: .type)
      try intent.encode(to: encoder)
    case .authorization(let access):
      try container.encode("authorization", forKey: .type)
      try container.encode(access, forKey: .access)
    }
  }
}

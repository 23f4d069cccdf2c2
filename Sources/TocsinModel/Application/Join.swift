/// What a program says of itself; from then on its connection is about its own alarms only.
public struct Join: Hashable, Sendable, Codable {
  /// The program's name, the same each time it runs: `kitchen-timer`, `com.example.kitchen`.
  public var application: String
  /// Whether it wants to know of each change to its alarms.
  public var follow: Bool
  /// Whether it runs the intents of its alarms.
  public var perform: Bool

  /// The longest name, in bytes of UTF-8.
  public static let nameLimit = 255

  /// Names a program.
  public init(application: String, follow: Bool = false, perform: Bool = false) {
    self.application = application
    self.follow = follow
    self.perform = perform
  }

  private enum CodingKeys: String, CodingKey { case application, follow, perform }

  /// Decodes the name; the rest is false where it is left out.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      application: try container.decode(String.self, forKey: .application),
      follow: try container.decodeIfPresent(Bool.self, forKey: .follow) ?? false,
      perform: try container.decodeIfPresent(Bool.self, forKey: .perform) ?? false
    )
  }
}

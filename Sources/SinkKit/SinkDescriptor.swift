/// What a sink says of itself when it starts; the router decides by it who must hear of an alarm.
public struct SinkDescriptor: Hashable, Sendable {
  /// One thing a sink can do.
  public enum Capability: String, Sendable, CaseIterable {
    /// It makes a sound.
    case sound
    /// It shows text.
    case visual
    /// It drives lamps.
    case light
    /// It takes answers.
    case buttons
  }

  /// What the program calls itself, such as `tocsin-alsa`.
  public var name: String
  /// Its version.
  public var version: String
  /// What it can do with its present settings.
  public var capabilities: Set<Capability>
  /// Whether a person asleep would hear it, with its present settings.
  public var audible: Bool

  /// Describes a sink.
  public init(name: String, version: String, capabilities: Set<Capability>, audible: Bool) {
    self.name = name
    self.version = version
    self.capabilities = capabilities
    self.audible = audible
  }

  /// The protocol's form of it, in a fixed order.
  var ready: SinkReport.Ready {
    SinkReport.Ready(
      name: name,
      version: version,
      capabilities: Capability.allCases.filter(capabilities.contains).map(\.rawValue),
      audible: audible
    )
  }
}

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
  /// What routes may name one by one; empty if it is of one piece.
  public var parts: [Part]

  /// One part of a sink: a lamp, a buzzer.
  public struct Part: Hashable, Sendable {
    /// What routes call it, behind the sink's name and a point: letters, digits, `-` and `_`.
    public var name: String
    /// What it can do with its present settings.
    public var capabilities: Set<Capability>
    /// Whether a person asleep would hear it, if it is asked by name.
    public var audible: Bool

    /// Describes a part.
    public init(name: String, capabilities: Set<Capability>, audible: Bool) {
      self.name = name
      self.capabilities = capabilities
      self.audible = audible
    }
  }

  /// Describes a sink.
  public init(
    name: String,
    version: String,
    capabilities: Set<Capability>,
    audible: Bool,
    parts: [Part] = []
  ) {
    self.name = name
    self.version = version
    self.capabilities = capabilities
    self.audible = audible
    self.parts = parts
  }

  /// The protocol's form of it, in a fixed order.
  var ready: SinkReport.Ready {
    let parts = parts.map { part in
      SinkReport.Ready.Part(
        name: part.name,
        capabilities: Self.words(part.capabilities),
        audible: part.audible
      )
    }
    return SinkReport.Ready(
      name: name,
      version: version,
      capabilities: Self.words(capabilities),
      audible: audible,
      parts: parts.isEmpty ? nil : parts
    )
  }

  private static func words(_ capabilities: Set<Capability>) -> [String] {
    Capability.allCases.filter(capabilities.contains).map(\.rawValue)
  }
}

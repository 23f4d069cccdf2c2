/// A line from a sink to the router.
public enum SinkReport: Sendable, Hashable {
  /// The sink's first line, in answer to `hello`.
  case ready(Ready)
  /// The event with this number is really shown, sounding, or gone.
  case presented(seq: UInt64)
  /// The event with this number could not be presented.
  case failed(Failed)
  /// A person's answer.
  case intent(Intent)
  /// A line for the daemon's log.
  case log(Log)
  /// The answer to `ping`.
  case pong
  /// A type this version does not know; to be ignored.
  case unknown(String)

  /// What a sink says of itself.
  public struct Ready: Hashable, Sendable, Codable {
    /// What the program calls itself.
    public var name: String
    /// Its version.
    public var version: String
    /// What it can do: `sound`, `visual`, `light`, `buttons`.
    public var capabilities: [String]
    /// Whether a person asleep would hear it.
    public var audible: Bool
    /// Its parts, which routes may name one by one; nil if it has only the one.
    public var parts: [Part]?
    /// The events it wants, as routes name them, or `cleared`; nil is all of them.
    public var events: [String]?

    /// One part of a sink: a lamp, a buzzer.
    public struct Part: Hashable, Sendable, Codable {
      /// What routes call it, behind the sink's name and a point.
      public var name: String
      /// What it can do: `sound`, `visual`, `light`.
      public var capabilities: [String]
      /// Whether a person asleep would hear it.
      public var audible: Bool

      /// Describes a part.
      public init(name: String, capabilities: [String], audible: Bool) {
        self.name = name
        self.capabilities = capabilities
        self.audible = audible
      }

      private enum CodingKeys: String, CodingKey { case name, capabilities, audible }

      /// Decodes the description; everything but the name may be left out.
      public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
          name: try container.decode(String.self, forKey: .name),
          capabilities: try container.decodeIfPresent([String].self, forKey: .capabilities) ?? [],
          audible: try container.decodeIfPresent(Bool.self, forKey: .audible) ?? false
        )
      }
    }

    /// Describes a sink.
    public init(
      name: String,
      version: String,
      capabilities: [String],
      audible: Bool,
      parts: [Part]? = nil,
      events: [String]? = nil
    ) {
      self.name = name
      self.version = version
      self.capabilities = capabilities
      self.audible = audible
      self.parts = parts
      self.events = events
    }

    private enum CodingKeys: String, CodingKey {
      case name, version, capabilities, audible, parts, events
    }

    /// Decodes the description; everything but the name may be left out.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        name: try container.decode(String.self, forKey: .name),
        version: try container.decodeIfPresent(String.self, forKey: .version) ?? "",
        capabilities: try container.decodeIfPresent([String].self, forKey: .capabilities) ?? [],
        audible: try container.decodeIfPresent(Bool.self, forKey: .audible) ?? false,
        parts: try container.decodeIfPresent([Part].self, forKey: .parts),
        events: try container.decodeIfPresent([String].self, forKey: .events)
      )
    }
  }

  /// A presentation that did not come about.
  public struct Failed: Hashable, Sendable, Codable {
    /// The event's number.
    public var seq: UInt64
    /// What went wrong, in words for a person.
    public var reason: String
    /// Whether the sink goes on trying by itself.
    public var retry: Bool?

    /// Describes a failure.
    public init(seq: UInt64, reason: String, retry: Bool? = nil) {
      self.seq = seq
      self.reason = reason
      self.retry = retry
    }
  }

  /// A line for the log.
  public struct Log: Hashable, Sendable, Codable {
    /// `error`, `warning`, `info` or `debug`; info if nil.
    public var level: String?
    /// The text.
    public var message: String

    /// Makes a line.
    public init(level: String? = nil, message: String) {
      self.level = level
      self.message = message
    }
  }
}

extension SinkReport {
  /// Decodes one line of a sink.
  ///
  /// - Throws: `ServiceError` as `JSONLine.decode` does.
  package static func decode(_ line: [UInt8]) throws(ServiceError) -> SinkReport {
    if let receipt = receipt(line) { return receipt }
    return try JSONLine.decode(SinkReport.self, from: line)
  }

  /// A receipt as nearly every sink writes it: of these there are as many as of events, and a decoder
  /// for any JSON takes ten times as long.
  private static func receipt(_ line: [UInt8]) -> SinkReport? {
    let head = #"{"type":"presented","seq":"#.utf8
    guard line.starts(with: head), line.last == UInt8(ascii: "}") else { return nil }
    let digits = line[head.count..<(line.count - 1)]
    // Not more than fit, and no zero that JSON does not allow.
    guard (1...19).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
    var seq: UInt64 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      seq = seq * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return .presented(seq: seq)
  }

  /// The number of the event that it answers; nil if it answers none.
  package var answeredEvent: UInt64? {
    switch self {
    case .presented(let seq): seq
    case .failed(let failed): failed.seq
    case .ready, .intent, .log, .pong, .unknown: nil
    }
  }

  /// Whether its type is one this version does not know.
  public var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }
}

extension SinkReport: Codable {
  private enum CodingKeys: String, CodingKey { case type, seq }

  /// Decodes the report that `type` names; an unknown type is not an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "ready": self = .ready(try Ready(from: decoder))
    case "presented": self = .presented(seq: try container.decode(UInt64.self, forKey: .seq))
    case "failed": self = .failed(try Failed(from: decoder))
    case "intent": self = .intent(try Intent(from: decoder))
    case "log": self = .log(try Log(from: decoder))
    case "pong": self = .pong
    default: self = .unknown(type)
    }
  }

  /// Encodes the report with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .ready(let ready):
      try container.encode("ready", forKey: .type)
      try ready.encode(to: encoder)
    case .presented(let seq):
      try container.encode("presented", forKey: .type)
      try container.encode(seq, forKey: .seq)
    case .failed(let failed):
      try container.encode("failed", forKey: .type)
      try failed.encode(to: encoder)
    case .intent(let intent):
      try container.encode("intent", forKey: .type)
      try intent.encode(to: encoder)
    case .log(let log):
      try container.encode("log", forKey: .type)
      try log.encode(to: encoder)
    case .pong: try container.encode("pong", forKey: .type)
    case .unknown(let type): try container.encode(type, forKey: .type)
    }
  }
}

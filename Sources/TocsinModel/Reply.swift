public import TocsinTime

/// A line from the daemon to a client in answer to a request.
///
/// A request is answered by any number of lines such as `alarm`, `entry` or `sink` and then by one `ok` or
/// `error`.
public enum Reply: Sendable {
  /// Done; for a change, it is on disk.
  case ok(id: String, Outcome)
  /// Not done.
  case error(id: String, ServiceError)
  /// One alarm of the answer.
  case alarm(id: String, AlarmStatus)
  /// One entry of the record.
  case entry(id: String, HistoryEntry)
  /// One sink.
  case sink(id: String, SinkStatus)
  /// One step of a route.
  case step(id: String, RouteStep)
  /// One silence.
  case silence(id: String, Silence)

  /// What was done.
  public struct Outcome: Hashable, Sendable, Codable {
    /// How many alarms, entries or sinks the request was about.
    public var count: Int?
    /// For `status`: how the daemon does.
    public var status: ServiceStatus?
    /// Something the person should know although it was done.
    public var warning: String?
    /// For `join` and `authorize`: whether the program may set alarms.
    public var access: Access?

    package init(
      count: Int? = nil,
      status: ServiceStatus? = nil,
      warning: String? = nil,
      access: Access? = nil
    ) {
      self.count = count
      self.status = status
      self.warning = warning
      self.access = access
    }
  }
}

/// Why a request was not carried out.
public struct ServiceError: Error, Hashable, Sendable, Codable {
  /// The kind of refusal.
  public var code: Code
  /// One sentence for a person: the thing, the place, the remedy.
  public var message: String

  /// The kinds of refusal.
  public enum Code: String, Codable, Sendable, CaseIterable {
    /// Not JSON, not UTF-8, a wrong type or a missing key.
    case badRequest
    /// A request this version does not know.
    case unknownRequest
    /// A line over 64 KiB, or an alarm over its limits.
    case tooLarge
    /// No such alarm.
    case notFound
    /// Several alarms fit.
    case ambiguous
    /// The alarm is not in a state for it.
    case wrongState
    /// The occurrence is over.
    case stale
    /// There is an alarm with this identity.
    case duplicate
    /// The time is over.
    case past
    /// A value that cannot be meant.
    case invalid
    /// As many alarms as are allowed.
    case limitReached
    /// No time zone data, so no wall time.
    case noTimeZone
    /// The store did not take it.
    case storage
    /// Not this user.
    case permission
    /// Too much at once.
    case busy
    /// plugins.conf has errors.
    case config
  }

  /// Makes a refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// How the daemon does.
public struct ServiceStatus: Hashable, Sendable, Codable {
  /// The daemon's version.
  public var version: String
  /// Its process.
  public var pid: Int32
  /// How many alarms it holds.
  public var alarms: Int
  /// How many of them ring now.
  public var alerting: Int
  /// How many of those no sink has confirmed; nil from a daemon that does not tell.
  public var unheard: Int?
  /// How many it accepts.
  public var limit: Int
  /// When the next one rings.
  public var next: Instant?
  /// The machine's time zone, or nil if there is no time zone data.
  public var zone: String?
  /// False while wall-clock alarms wait for the clock to be set.
  public var clockTrusted: Bool
  /// Whether it can wake the machine from suspend.
  public var wakesFromSuspend: Bool
  /// The store's file; nil if it is in memory only.
  public var store: String?
  /// What is wrong, in words for a person.
  public var warnings: [String]
  /// The silences that stand.
  public var silences: [Silence]?
  /// True if it runs inside a program and ends with it; nil from a daemon.
  public var embedded: Bool?

  package init(
    version: String,
    pid: Int32,
    alarms: Int,
    alerting: Int,
    limit: Int,
    next: Instant?,
    zone: String?,
    clockTrusted: Bool,
    wakesFromSuspend: Bool,
    store: String?,
    warnings: [String]
  ) {
    self.version = version
    self.pid = pid
    self.alarms = alarms
    self.alerting = alerting
    self.limit = limit
    self.next = next
    self.zone = zone
    self.clockTrusted = clockTrusted
    self.wakesFromSuspend = wakesFromSuspend
    self.store = store
    self.warnings = warnings
  }
}

/// How one sink does.
public struct SinkStatus: Hashable, Sendable, Codable {
  /// Its name in plugins.conf.
  public var sink: String
  /// `starting`, `ready`, `waiting` to be restarted, `failed`, `off`, or `attached` over the socket.
  public var state: String
  /// Its process, if the daemon runs one.
  public var pid: Int32?
  /// What it said of itself.
  public var ready: SinkReport.Ready?
  /// How often it was restarted.
  public var restarts: Int
  /// How many lines were dropped because it did not read.
  public var dropped: Int
  /// What went wrong last.
  public var reason: String?

  package init(
    sink: String,
    state: String,
    pid: Int32?,
    ready: SinkReport.Ready?,
    restarts: Int,
    dropped: Int,
    reason: String?
  ) {
    self.sink = sink
    self.state = state
    self.pid = pid
    self.ready = ready
    self.restarts = restarts
    self.dropped = dropped
    self.reason = reason
  }
}

extension Reply: Codable {
  private enum CodingKeys: String, CodingKey { case type, id, alarm, entry, sink, step, silence }

  /// Decodes a reply line.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decodeIfPresent(String.self, forKey: .id) ?? ""
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "ok": self = .ok(id: id, try Outcome(from: decoder))
    case "error": self = .error(id: id, try ServiceError(from: decoder))
    case "alarm": self = .alarm(id: id, try container.decode(AlarmStatus.self, forKey: .alarm))
    case "entry": self = .entry(id: id, try container.decode(HistoryEntry.self, forKey: .entry))
    case "sink": self = .sink(id: id, try container.decode(SinkStatus.self, forKey: .sink))
    case "step": self = .step(id: id, try container.decode(RouteStep.self, forKey: .step))
    case "silence": self = .silence(id: id, try container.decode(Silence.self, forKey: .silence))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .type,
        in: container,
        debugDescription: "not a reply: \(type)"
      )
    }
  }

  /// Encodes a reply line with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .ok(let id, let outcome):
      try container.encode("ok", forKey: .type)
      try container.encode(id, forKey: .id)
      try outcome.encode(to: encoder)
    case .error(let id, let error):
      try container.encode("error", forKey: .type)
      try container.encode(id, forKey: .id)
      try error.encode(to: encoder)
    case .alarm(let id, let status):
      try container.encode("alarm", forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(status, forKey: .alarm)
    case .entry(let id, let entry):
      try container.encode("entry", forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(entry, forKey: .entry)
    case .sink(let id, let status):
      try container.encode("sink", forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(status, forKey: .sink)
    case .step(let id, let step):
      try container.encode("step", forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(step, forKey: .step)
    case .silence(let id, let silence):
      try container.encode("silence", forKey: .type)
      try container.encode(id, forKey: .id)
      try container.encode(silence, forKey: .silence)
    }
  }
}

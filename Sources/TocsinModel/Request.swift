/// A line from a client to the daemon.
public struct Request: Sendable {
  /// Chosen by the client; every reply to this request bears it.
  public var id: String
  /// What is asked.
  public var body: Body

  /// The kinds of request.
  public enum Body: Sendable {
    /// Accept a new alarm.
    case schedule(Alarm)
    /// Replace an alarm that exists.
    case update(Alarm)
    /// Do something to alarms that exist.
    case intent(Intent)
    /// All alarms, one reply line each.
    case list(ListFilter)
    /// One alarm by UUID, beginning of it, or title.
    case show(String)
    /// The alarm that rings next.
    case next
    /// The record, newest first.
    case history(HistoryFilter)
    /// The sinks and how they do.
    case sinks
    /// Start or stop one of plugins.conf's sinks until the daemon ends.
    case sink(name: String, isEnabled: Bool)
    /// Where an alarm would go, when, and why.
    case route(RouteQuestion)
    /// Let nobody present what fits, for so many seconds.
    case silence(match: String, seconds: Double)
    /// The silences that stand.
    case silences
    /// End a silence, or all of them.
    case unsilence(number: Int?)
    /// Send events from now on, beginning with `sync`.
    case subscribe
    /// Read plugins.conf again.
    case reload
    /// How the daemon does.
    case status
    /// A copy of the store into a file.
    case backup(path: String)
    /// Make this connection a program's own.
    case join(Join)
    /// Ask whether the program that joined may set alarms, as it wants to.
    case authorize
    /// The intent with this number has run; `failure` is what it threw, in words.
    case performed(number: UInt64, failure: String?)
  }

  /// Which alarms a list holds.
  public struct ListFilter: Codable, Sendable, Hashable {
    /// Only alarms in this state.
    public var state: AlarmState?
    /// At most this many, the next to ring first.
    public var limit: Int?
    /// Only those of this program.
    public var application: String?

    /// Makes a filter; without arguments it passes everything.
    public init(state: AlarmState? = nil, limit: Int? = nil, application: String? = nil) {
      self.state = state
      self.limit = limit
      self.application = application
    }
  }

  /// Which entries of the record are wanted.
  public struct HistoryFilter: Codable, Sendable, Hashable {
    /// Only of this alarm: a UUID.
    public var alarm: AlarmID?
    /// Only these events.
    public var events: [HistoryEntry.Event]?
    /// At most this many; 100 if nil.
    public var limit: Int?
    /// Only of this program's alarms.
    public var application: String?

    /// Makes a filter.
    public init(
      alarm: AlarmID? = nil,
      events: [HistoryEntry.Event]? = nil,
      limit: Int? = nil,
      application: String? = nil
    ) {
      self.alarm = alarm
      self.events = events
      self.limit = limit
      self.application = application
    }
  }

  /// Makes a request.
  public init(id: String, _ body: Body) {
    self.id = id
    self.body = body
  }
}

extension Request: Codable {
  private enum CodingKeys: String, CodingKey {
    case type, id, alarm, path, sink, match, duration, number, failure
  }

  /// Decodes the request that `type` names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    id = try container.decodeIfPresent(String.self, forKey: .id) ?? ""
    switch type {
    case "schedule": body = .schedule(try container.decode(Alarm.self, forKey: .alarm))
    case "update": body = .update(try container.decode(Alarm.self, forKey: .alarm))
    case "list": body = .list(try ListFilter(from: decoder))
    case "show": body = .show(try container.decode(String.self, forKey: .alarm))
    case "next": body = .next
    case "history": body = .history(try HistoryFilter(from: decoder))
    case "sinks": body = .sinks
    case "enableSink", "disableSink":
      let name = try container.decode(String.self, forKey: .sink)
      body = .sink(name: name, isEnabled: type == "enableSink")
    case "route": body = .route(try RouteQuestion(from: decoder))
    case "silence":
      body = .silence(
        match: try container.decode(String.self, forKey: .match),
        seconds: try container.decode(Double.self, forKey: .duration)
      )
    case "silences": body = .silences
    case "unsilence":
      body = .unsilence(number: try container.decodeIfPresent(Int.self, forKey: .number))
    case "subscribe": body = .subscribe
    case "reload": body = .reload
    case "status": body = .status
    case "backup": body = .backup(path: try container.decode(String.self, forKey: .path))
    case "join": body = .join(try Join(from: decoder))
    case "authorize": body = .authorize
    case "performed":
      body = .performed(
        number: try container.decode(UInt64.self, forKey: .number),
        failure: try container.decodeIfPresent(String.self, forKey: .failure)
      )
    default:
      guard let action = AlarmAction(rawValue: type) else {
        throw UnknownRequest(type: type)
      }
      body = .intent(try Intent(action, from: decoder))
    }
  }

  /// Encodes the request with its `type`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    switch body {
    case .schedule(let alarm):
      try container.encode("schedule", forKey: .type)
      try container.encode(alarm, forKey: .alarm)
    case .update(let alarm):
      try container.encode("update", forKey: .type)
      try container.encode(alarm, forKey: .alarm)
    case .intent(let intent):
      try container.encode(intent.action.rawValue, forKey: .type)
      try intent.encode(to: encoder)
    case .list(let filter):
      try container.encode("list", forKey: .type)
      try filter.encode(to: encoder)
    case .show(let name):
      try container.encode("show", forKey: .type)
      try container.encode(name, forKey: .alarm)
    case .next: try container.encode("next", forKey: .type)
    case .history(let filter):
      try container.encode("history", forKey: .type)
      try filter.encode(to: encoder)
    case .sinks: try container.encode("sinks", forKey: .type)
    case .sink(let name, let isEnabled):
      try container.encode(isEnabled ? "enableSink" : "disableSink", forKey: .type)
      try container.encode(name, forKey: .sink)
    case .route(let question):
      try container.encode("route", forKey: .type)
      try question.encode(to: encoder)
    case .silence(let match, let seconds):
      try container.encode("silence", forKey: .type)
      try container.encode(match, forKey: .match)
      try container.encode(seconds, forKey: .duration)
    case .silences: try container.encode("silences", forKey: .type)
    case .unsilence(let number):
      try container.encode("unsilence", forKey: .type)
      try container.encodeIfPresent(number, forKey: .number)
    case .subscribe: try container.encode("subscribe", forKey: .type)
    case .reload: try container.encode("reload", forKey: .type)
    case .status: try container.encode("status", forKey: .type)
    case .backup(let path):
      try container.encode("backup", forKey: .type)
      try container.encode(path, forKey: .path)
    case .join(let join):
      try container.encode("join", forKey: .type)
      try join.encode(to: encoder)
    case .authorize: try container.encode("authorize", forKey: .type)
    case .performed(let number, let failure):
      try container.encode("performed", forKey: .type)
      try container.encode(number, forKey: .number)
      try container.encodeIfPresent(failure, forKey: .failure)
    }
  }
}

/// A request whose type this version does not know.
package struct UnknownRequest: Error {
  package var type: String
}

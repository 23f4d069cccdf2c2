public import TocsinTime

/// A line from the router to a sink.
public enum SinkMessage: Sendable, Hashable {
  /// The first line: the protocol's version, the sink's name and its section of plugins.conf.
  case hello(Hello)
  /// All that is presented now; replaces whatever the sink showed before.
  case sync([Presentation])
  /// An alarm's new presentation.
  case present(Presentation)
  /// The end of a presentation.
  case cleared(Cleared)
  /// An alarm that did not ring, or rang and was not answered.
  case missed(Missed)
  /// A secondary button whose answer is the scheduling program's.
  case secondary(Secondary)
  /// Something a person should know that is no alarm.
  case notice(Notice)
  /// What a sink made of an alert; for subscribers only.
  case receipt(Receipt)
  /// A question whether the sink still lives; answered by `pong`.
  case ping
  /// The request to withdraw everything and end.
  case bye
  /// A type this version does not know; to be ignored.
  case unknown(String)

  /// What a sink is told first.
  public struct Hello: Hashable, Sendable, Codable {
    /// The version of the protocol: 1.
    public var `protocol`: Int
    /// The sink's name in plugins.conf.
    public var sink: String
    /// The keys of its section that are not the daemon's own.
    public var settings: [String: String]

    package init(sink: String, settings: [String: String]) {
      self.protocol = 1
      self.sink = sink
      self.settings = settings
    }

    /// Encodes the settings in the order of their names.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.protocol, forKey: .protocol)
      try container.encode(sink, forKey: .sink)
      try container.encode(SortedObject(members: settings), forKey: .settings)
    }
  }

  /// The end of a presentation, and why.
  public struct Cleared: Hashable, Sendable, Codable {
    /// The number of this event.
    public var seq: UInt64
    /// The occurrence that is no longer presented.
    public var occurrence: OccurrenceID
    /// Its alarm.
    public var alarm: AlarmID
    /// The alarm's title.
    public var title: String
    /// Why it ended.
    public var reason: ClearReason
    /// Who ended it, if somebody did: `console`, `cli`, a sink's name.
    public var source: String?

    package init(
      seq: UInt64,
      occurrence: OccurrenceID,
      title: String,
      reason: ClearReason,
      source: String?
    ) {
      self.seq = seq
      self.occurrence = occurrence
      self.alarm = occurrence.alarm
      self.title = title
      self.reason = reason
      self.source = source
    }
  }

  /// An alarm that reached nobody.
  public struct Missed: Hashable, Sendable, Codable {
    /// The number of this event.
    public var seq: UInt64
    /// The occurrence.
    public var occurrence: OccurrenceID
    /// Its alarm.
    public var alarm: AlarmID
    /// The alarm's title.
    public var title: String
    /// When it was to ring.
    public var due: Instant
    /// What stood in the way.
    public var reason: MissedReason

    package init(
      seq: UInt64,
      occurrence: OccurrenceID,
      title: String,
      due: Instant,
      reason: MissedReason
    ) {
      self.seq = seq
      self.occurrence = occurrence
      self.alarm = occurrence.alarm
      self.title = title
      self.due = due
      self.reason = reason
    }
  }

  /// Something a person should know: an alarm nobody may have heard, a silence that is over.
  public struct Notice: Hashable, Sendable, Codable {
    /// The number of this event.
    public var seq: UInt64
    /// How much it matters.
    public var level: Level
    /// One sentence for a person.
    public var text: String
    /// The occurrence it is about, if it is about one.
    public var occurrence: OccurrenceID?
    /// Its alarm.
    public var alarm: AlarmID?
    /// The alarm's title.
    public var title: String?

    /// How much a notice matters.
    public enum Level: String, Codable, Sendable, CaseIterable {
      /// Somebody may not have been woken.
      case critical
      /// Something needs a hand.
      case warning
      /// Good to know.
      case info

      /// Decodes a level; one that came later must not hide what the notice says.
      public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Level(rawValue: text) ?? .warning
      }
    }

    package init(seq: UInt64, level: Level, text: String) {
      self.seq = seq
      self.level = level
      self.text = text
    }
  }

  /// What a sink made of an alert, as `AlertReceipt` holds it.
  public struct Receipt: Hashable, Sendable {
    /// The number of the event that the sink was sent.
    public var seq: UInt64
    /// The occurrence that rings.
    public var occurrence: OccurrenceID
    /// Its alarm.
    public var alarm: AlarmID
    /// The sink and what became of the alert there.
    public var receipt: AlertReceipt

    package init(seq: UInt64, occurrence: OccurrenceID, receipt: AlertReceipt) {
      self.seq = seq
      self.occurrence = occurrence
      alarm = occurrence.alarm
      self.receipt = receipt
    }
  }

  /// A press of an alarm's own button.
  public struct Secondary: Hashable, Sendable, Codable {
    /// The number of this event.
    public var seq: UInt64
    /// The occurrence that was answered.
    public var occurrence: OccurrenceID
    /// Its alarm.
    public var alarm: AlarmID
    /// Who pressed.
    public var source: String

    package init(seq: UInt64, occurrence: OccurrenceID, source: String) {
      self.seq = seq
      self.occurrence = occurrence
      self.alarm = occurrence.alarm
      self.source = source
    }
  }
}

/// Why a presentation ended.
public enum ClearReason: String, Codable, Sendable, CaseIterable {
  /// Somebody stopped it.
  case stopped
  /// The alarm was deleted.
  case cancelled
  /// The alarm was disabled.
  case disabled
  /// A timer rang for as long as it may and nobody answered.
  case unanswered
  /// An alarm rang and snoozed for as long as it may and nobody answered.
  case missed
  /// The next occurrence of the same alarm took its place.
  case merged
  /// It rang on a clock that proved wrong; it rings again at the real time.
  case clock
  /// It could not be stored, so it was not accepted.
  case refused
  /// It goes on, at other sinks.
  case rerouted
  /// One that this version does not know; never sent.
  case other

  /// Decodes a reason; over is over, so one that came later is no error.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = ClearReason(rawValue: text) ?? .other
  }
}

/// Why an alarm reached nobody.
public enum MissedReason: String, Codable, Sendable, CaseIterable {
  /// Due while the machine or the daemon was off, asleep, or its clock was set past it.
  case late
  /// Rang, and nobody answered.
  case unanswered
  /// Its date cannot come any more after a change of the time zone.
  case zone
}

extension SinkMessage: Codable {
  private enum CodingKeys: String, CodingKey { case type, presentations }

  /// Decodes the message that `type` names; an unknown type is not an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "hello": self = .hello(try Hello(from: decoder))
    case "sync":
      self = .sync(try container.decode([Presentation].self, forKey: .presentations))
    case "alert", "countdown", "paused": self = .present(try Presentation(from: decoder))
    case "cleared": self = .cleared(try Cleared(from: decoder))
    case "missed": self = .missed(try Missed(from: decoder))
    case "secondary": self = .secondary(try Secondary(from: decoder))
    case "notice": self = .notice(try Notice(from: decoder))
    case "receipt": self = .receipt(try Receipt(from: decoder))
    case "ping": self = .ping
    case "bye": self = .bye
    default: self = .unknown(type)
    }
  }

  /// Encodes the message with its `type`.
  public func encode(to encoder: any Encoder) throws {
    // What somebody waits for writes itself.
    switch self {
    case .present(let presentation): return try presentation.encode(to: encoder)
    case .cleared(let cleared): return try encoder.write(cleared)
    case .missed(let missed): return try encoder.write(missed)
    default: break
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .present, .cleared, .missed: break
    case .hello(let hello):
      try container.encode("hello", forKey: .type)
      try hello.encode(to: encoder)
    case .sync(let presentations):
      try container.encode("sync", forKey: .type)
      try container.encode(presentations, forKey: .presentations)
    case .secondary(let secondary):
      try container.encode("secondary", forKey: .type)
      try secondary.encode(to: encoder)
    case .notice(let notice):
      try container.encode("notice", forKey: .type)
      try notice.encode(to: encoder)
    case .receipt(let receipt):
      try container.encode("receipt", forKey: .type)
      try receipt.encode(to: encoder)
    case .ping: try container.encode("ping", forKey: .type)
    case .bye: try container.encode("bye", forKey: .type)
    case .unknown(let type): try container.encode(type, forKey: .type)
    }
  }
}

extension SinkMessage.Receipt: Codable {
  private enum CodingKeys: String, CodingKey { case seq, occurrence, alarm }

  /// Decodes the event; what became of the alert stands beside what it is about.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    seq = try container.decode(UInt64.self, forKey: .seq)
    occurrence = try container.decode(OccurrenceID.self, forKey: .occurrence)
    alarm = try container.decode(AlarmID.self, forKey: .alarm)
    receipt = try AlertReceipt(from: decoder)
  }

  /// Encodes what `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(seq, forKey: .seq)
    try container.encode(occurrence, forKey: .occurrence)
    try container.encode(alarm, forKey: .alarm)
    try receipt.encode(to: encoder)
  }
}

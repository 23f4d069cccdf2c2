public import TocsinTime

/// The question where an alarm would go, when, and why.
public struct RouteQuestion: Hashable, Sendable, Codable {
  /// An alarm that exists, by UUID, a beginning of it, or title.
  public var alarm: String?
  /// Else what a made-up one is called.
  public var title: String?
  /// When it would ring; nil is the alarm's next time, or now.
  public var at: Instant?
  /// `alarm` if nil.
  public var kind: AlarmKind?
  /// Its labels.
  public var labels: [String]?
  /// Its priority; 0 if nil.
  public var priority: Int?
  /// Its sound.
  public var sound: String?

  /// Asks about nothing yet.
  public init() {}
}

/// One step of the answer.
public struct RouteStep: Hashable, Sendable, Codable {
  /// When.
  public var at: Instant
  /// What happens then.
  public var kind: Kind
  /// Who presents from then on beside those before, such as `speaker` or `bedside.led`.
  public var sinks: [String]
  /// The loudest it may be, 0...1.
  public var volumeLimit: Double?
  /// Why, in words for a person.
  public var why: String

  /// The kinds of steps.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The alert itself, or a part of it that was delayed.
    case alert
    /// Nothing audible was confirmed.
    case fallback
    /// Nobody answered.
    case escalate
    /// Nobody confirmed: it is reported, and goes to every sink.
    case report
    /// It is presented by nobody.
    case withheld
    /// Nobody answered: it snoozes itself.
    case snooze
    /// Nobody answered, and that was the last time.
    case missed
  }

  package init(
    at: Instant,
    kind: Kind,
    sinks: [String],
    volumeLimit: Double? = nil,
    why: String
  ) {
    self.at = at
    self.kind = kind
    self.sinks = sinks
    self.volumeLimit = volumeLimit
    self.why = why
  }
}

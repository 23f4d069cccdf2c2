public import TocsinTime

/// All a sink needs to present one alarm as it is now.
///
/// Each event carries the whole of it, so a sink that missed some is right again after one.
public struct Presentation: Hashable, Sendable {
  /// The number of this event, growing within one run of the daemon; receipts name it.
  public var seq: UInt64
  /// What answers must name.
  public var occurrence: OccurrenceID
  /// The alarm.
  public var alarm: AlarmID
  /// What the alarm is for; may be empty.
  public var title: String
  /// Whether it came from an alarm or a timer.
  public var kind: AlarmKind
  /// `alerting`, `countdown` or `paused`; never `scheduled`.
  public var state: AlarmState
  /// When it was or is to ring by the wall clock.
  public var due: Instant
  /// When the alert began; nil unless alerting.
  public var fired: Instant?
  /// Seconds between due and fired; nil unless alerting.
  public var late: Double?
  /// True if this alert went on before the daemon was restarted.
  public var resumed: Bool?
  /// How often it was snoozed so far, by hand or by itself.
  public var snoozes: Int
  /// The countdown; nil while alerting.
  public var countdown: Countdown?
  /// What can be pressed.
  public var buttons: [AlarmButton]
  /// How it sounds and looks; `buttons` in it is always nil here.
  public var options: AlarmOptions {
    get { sharedOptions.options }
    set { sharedOptions = SharedOptions(newValue) }
  }
  /// The same, as copies share them.
  package var sharedOptions: SharedOptions
  /// The parts of the sink that are to present it; nil is the whole sink.
  public var parts: [String]?
  /// The loudest it may be, 0...1, whatever the alarm or the sink says; nil is no limit.
  public var volumeLimit: Double?
  /// How often it has snoozed itself since somebody last answered; not a part of the event.
  package var autoSnoozes = 0

  /// The countdown behind a presentation; sinks draw the remaining time from it themselves.
  public struct Countdown: Hashable, Sendable, Codable {
    /// The most recent start or resume; nil while paused.
    public var start: Instant?
    /// When it ends; nil while paused.
    public var fire: Instant?
    /// Its whole length in seconds.
    public var total: Double
    /// Seconds counted before `start`, or before it was paused.
    public var elapsed: Double
    /// True if it is a snooze.
    public var snooze: Bool

    package init(start: Instant?, fire: Instant?, total: Double, elapsed: Double, snooze: Bool) {
      self.start = start
      self.fire = fire
      self.total = total
      self.elapsed = elapsed
      self.snooze = snooze
    }
  }

  package init(
    seq: UInt64,
    occurrence: OccurrenceID,
    title: String,
    kind: AlarmKind,
    state: AlarmState,
    due: Instant,
    fired: Instant? = nil,
    late: Double? = nil,
    resumed: Bool? = nil,
    snoozes: Int = 0,
    countdown: Countdown? = nil,
    buttons: [AlarmButton] = [],
    options: AlarmOptions? = nil,
    parts: [String]? = nil,
    volumeLimit: Double? = nil
  ) {
    self.seq = seq
    self.occurrence = occurrence
    self.alarm = occurrence.alarm
    self.title = title
    self.kind = kind
    self.state = state
    self.due = due
    self.fired = fired
    self.late = late
    self.resumed = resumed
    self.snoozes = snoozes
    self.countdown = countdown
    self.buttons = buttons
    sharedOptions = SharedOptions(options)
    self.parts = parts
    self.volumeLimit = volumeLimit
  }
}

extension Presentation: Codable {
  enum CodingKeys: String, CodingKey {
    case type, seq, occurrence, alarm, title, kind, state, due, fired, late, resumed, snoozes
    case countdown, buttons, parts, volumeLimit
  }

  /// The message type that carries a presentation in this state.
  package var type: String { state == .alerting ? "alert" : state.rawValue }

  /// Decodes an `alert`, `countdown` or `paused` event.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let options = try AlarmOptions(besideButtons: decoder)
    self.init(
      seq: try container.decode(UInt64.self, forKey: .seq),
      occurrence: try container.decode(OccurrenceID.self, forKey: .occurrence),
      title: try container.decode(String.self, forKey: .title),
      kind: try container.decode(AlarmKind.self, forKey: .kind),
      state: try container.decode(AlarmState.self, forKey: .state),
      due: try container.decode(Instant.self, forKey: .due),
      fired: try container.decodeIfPresent(Instant.self, forKey: .fired),
      late: try container.decodeIfPresent(Double.self, forKey: .late),
      resumed: try container.decodeIfPresent(Bool.self, forKey: .resumed),
      snoozes: try container.decodeIfPresent(Int.self, forKey: .snoozes) ?? 0,
      countdown: try container.decodeIfPresent(Countdown.self, forKey: .countdown),
      buttons: try container.decodeIfPresent([Known<AlarmButton>].self, forKey: .buttons)?
        .compactMap(\.value) ?? [],
      options: options,
      parts: try container.decodeIfPresent([String].self, forKey: .parts),
      volumeLimit: try container.decodeIfPresent(Double.self, forKey: .volumeLimit)
    )
  }

  /// A value that is left out if this version cannot read it: an alarm rings, whatever button came later.
  private struct Known<Value: Decodable>: Decodable {
    var value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
  }

  /// Encodes the event with its `type`; options stand beside the rest.
  public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension Presentation: JSONObject {
  func writeMembers(to text: inout JSONText) throws {
    text.member(CodingKeys.type, type)
    text.member(CodingKeys.seq, seq)
    text.member(CodingKeys.occurrence, occurrence)
    text.member(CodingKeys.alarm, alarm)
    text.member(CodingKeys.title, title)
    text.member(CodingKeys.kind, name: kind)
    text.member(CodingKeys.state, name: state)
    text.member(CodingKeys.due, due)
    if let fired { text.member(CodingKeys.fired, fired) }
    if let late { try text.member(CodingKeys.late, late) }
    if let resumed { text.member(CodingKeys.resumed, resumed) }
    text.member(CodingKeys.snoozes, snoozes)
    if let countdown { try text.member(CodingKeys.countdown, countdown) }
    try text.member(CodingKeys.buttons, buttons)
    if let parts { text.member(CodingKeys.parts, parts) }
    if let volumeLimit { try text.member(CodingKeys.volumeLimit, volumeLimit) }
    if let chosen = sharedOptions.chosen { try text.members(of: chosen.options) }
  }
}

extension Presentation.Countdown: JSONObject {
  /// Encodes what the events hold of it.
  public func encode(to encoder: any Encoder) throws { try encoder.write(self) }

  func writeMembers(to text: inout JSONText) throws {
    if let start { text.member(CodingKeys.start, start) }
    if let fire { text.member(CodingKeys.fire, fire) }
    try text.member(CodingKeys.total, total)
    try text.member(CodingKeys.elapsed, elapsed)
    text.member(CodingKeys.snooze, snooze)
  }
}

public import TocsinTime

/// An alarm as it stands at one moment: what was asked for and what has become of it.
public struct AlarmStatus: Hashable, Sendable {
  /// What was asked for.
  public var alarm: Alarm
  /// Its state; `scheduled` too while it is disabled.
  public var state: AlarmState
  /// When it rings next, whatever makes it: schedule, countdown or snooze; nil if it will not.
  public var next: Instant?
  /// The next time of its schedule, beside a countdown or snooze under way.
  public var scheduled: Instant?
  /// Why `scheduled` is not the time that was said.
  public var note: String?
  /// The local date that will be left out.
  public var skips: CivilDate?
  /// The occurrence under way.
  public var occurrence: OccurrenceID?
  /// When the occurrence under way is or was due.
  public var due: Instant?
  /// The countdown under way.
  public var countdown: Presentation.Countdown?
  /// What became of the alert at each sink while it rings.
  public var receipts: [AlertReceipt]?

  package init(alarm: Alarm, state: AlarmState) {
    self.alarm = alarm
    self.state = state
  }
}

extension AlarmStatus: Codable {
  enum CodingKeys: String, CodingKey {
    case state, next, scheduled, note, skips, occurrence, due, counting, receipts
  }

  /// Decodes a status object, in which the alarm's own keys stand beside the rest.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    alarm = try Alarm(from: decoder)
    state = try container.decode(AlarmState.self, forKey: .state)
    next = try container.decodeIfPresent(Instant.self, forKey: .next)
    scheduled = try container.decodeIfPresent(Instant.self, forKey: .scheduled)
    note = try container.decodeIfPresent(String.self, forKey: .note)
    skips = try container.decodeIfPresent(String.self, forKey: .skips).flatMap { CivilDate($0) }
    occurrence = try container.decodeIfPresent(OccurrenceID.self, forKey: .occurrence)
    due = try container.decodeIfPresent(Instant.self, forKey: .due)
    countdown = try container.decodeIfPresent(
      Presentation.Countdown.self,
      forKey: .counting
    )
    receipts = try container.decodeIfPresent([AlertReceipt].self, forKey: .receipts)
  }

  /// Encodes what `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try alarm.encode(to: encoder)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(next, forKey: .next)
    try container.encodeIfPresent(scheduled, forKey: .scheduled)
    try container.encodeIfPresent(note, forKey: .note)
    try container.encodeIfPresent(skips?.description, forKey: .skips)
    try container.encodeIfPresent(occurrence, forKey: .occurrence)
    try container.encodeIfPresent(due, forKey: .due)
    try container.encodeIfPresent(countdown, forKey: .counting)
    try container.encodeIfPresent(receipts, forKey: .receipts)
  }
}

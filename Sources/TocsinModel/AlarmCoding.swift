import TocsinTime

extension Alarm: Codable {
  enum CodingKeys: String, CodingKey {
    case id, title, kind, schedule, countdown, enabled
  }

  /// Decodes an alarm object; everything but `id` may be left out, options stand beside the rest.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decode(AlarmID.self, forKey: .id),
      title: try container.decodeIfPresent(String.self, forKey: .title) ?? "",
      schedule: try container.decodeIfPresent(Schedule.self, forKey: .schedule),
      countdown: try container.decodeIfPresent(CountdownDuration.self, forKey: .countdown)
        ?? CountdownDuration(),
      isEnabled: try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? true,
      options: try AlarmOptions(from: decoder)
    )
  }

  /// Encodes the alarm and its options as one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(schedule, forKey: .schedule)
    if countdown != CountdownDuration() { try container.encode(countdown, forKey: .countdown) }
    try container.encode(isEnabled, forKey: .enabled)
    try sharedOptions.chosen?.options.encode(to: encoder)
  }
}

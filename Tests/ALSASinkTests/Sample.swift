import TocsinModel
import TocsinTime

/// Messages for tests, around 2027-01-15 07:00:00 UTC.
enum Sample {
  static let seven = Instant(seconds: 1_799_996_400)

  static func occurrence(_ alarm: UInt64) -> OccurrenceID {
    OccurrenceID(alarm: AlarmID(high: 1, low: alarm), origin: seven, serial: 0)
  }

  /// An alarm that rings since `fired` seconds after seven.
  static func alert(
    _ seq: UInt64,
    alarm: UInt64 = 1,
    kind: AlarmKind = .alarm,
    fired: Double = 0,
    sound: String? = nil,
    volume: Double? = nil,
    fade: Double? = nil,
    priority: Int? = nil
  ) -> Presentation {
    var options = AlarmOptions()
    options.sound = sound
    options.volume = volume
    options.fade = fade
    options.priority = priority
    return Presentation(
      seq: seq,
      occurrence: occurrence(alarm),
      title: "Wake up",
      kind: kind,
      state: .alerting,
      due: seven,
      fired: seven + .microseconds(Int64(fired * 1e6)),
      late: 0,
      options: options
    )
  }

  /// An alarm that was snoozed, or a timer that counts.
  static func countdown(_ seq: UInt64, alarm: UInt64 = 1, sound: String? = nil) -> Presentation {
    var options = AlarmOptions()
    options.sound = sound
    return Presentation(
      seq: seq,
      occurrence: occurrence(alarm),
      title: "Wake up",
      kind: .alarm,
      state: .countdown,
      due: seven,
      snoozes: 1,
      countdown: Presentation.Countdown(
        start: seven,
        fire: seven + .seconds(540),
        total: 540,
        elapsed: 0,
        snooze: true
      ),
      options: options
    )
  }

  static func cleared(
    _ seq: UInt64,
    alarm: UInt64 = 1,
    _ reason: ClearReason = .stopped
  ) -> SinkMessage.Cleared {
    SinkMessage.Cleared(
      seq: seq,
      occurrence: occurrence(alarm),
      title: "Wake up",
      reason: reason,
      source: nil
    )
  }
}

import SinkKit

@testable import ConsoleSink

/// Messages for tests, around 2027-01-15 07:00:00 UTC.
enum Sample {
  static let seven = Instant(seconds: 1_799_996_400)
  static let alarm = AlarmID(high: 1, low: 2)

  static func after(_ seconds: Double) -> Instant { seven + .microseconds(Int64(seconds * 1e6)) }

  static func moment(_ seconds: Double) -> Moment {
    Moment(now: after(seconds), elapsed: .microseconds(Int64(seconds * 1e6)))
  }

  static func occurrence(_ serial: UInt32) -> OccurrenceID {
    OccurrenceID(alarm: alarm, origin: seven, serial: serial)
  }

  static func alert(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Wake up",
    kind: AlarmKind = .alarm,
    late: Double? = 0,
    resumed: Bool? = nil,
    buttons: [AlarmButton] = [],
    sound: String? = nil
  ) -> Presentation {
    var options = AlarmOptions()
    options.sound = sound
    return Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: kind,
      state: .alerting,
      due: seven,
      fired: seven,
      late: late,
      resumed: resumed,
      buttons: buttons,
      options: options
    )
  }

  /// A countdown that began at 07:00:00.
  static func countdown(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Tea",
    total: Double = 600,
    snooze: Bool = false,
    start: Double = 0
  ) -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: .timer,
      state: .countdown,
      due: after(start + total),
      countdown: Presentation.Countdown(
        start: after(start),
        fire: after(start + total),
        total: total,
        elapsed: 0,
        snooze: snooze
      )
    )
  }

  static func paused(seq: UInt64 = 1, _ serial: UInt32 = 0, title: String = "Tea") -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: .timer,
      state: .paused,
      due: after(600),
      countdown: Presentation.Countdown(
        start: nil,
        fire: nil,
        total: 600,
        elapsed: 348,
        snooze: false
      )
    )
  }

  static func cleared(
    seq: UInt64 = 1,
    of serial: UInt32 = 0,
    title: String = "Wake up",
    _ reason: ClearReason,
    by source: String? = nil
  ) -> SinkMessage.Cleared {
    SinkMessage.Cleared(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      reason: reason,
      source: source
    )
  }

  static func missed(title: String = "Wake up", _ reason: MissedReason) -> SinkMessage.Missed {
    SinkMessage.Missed(
      seq: 1,
      occurrence: occurrence(0),
      title: title,
      due: seven,
      reason: reason
    )
  }
}

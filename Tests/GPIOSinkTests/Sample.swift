import TocsinModel
import TocsinTime

/// Messages for tests, around 2027-01-15 07:00:00 UTC.
enum Sample {
  static let seven = Instant(seconds: 1_799_996_400)
  static let alarm = AlarmID(high: 1, low: 2)

  static func occurrence(_ serial: UInt32 = 0) -> OccurrenceID {
    OccurrenceID(alarm: alarm, origin: seven, serial: serial)
  }

  static func alert(seq: UInt64 = 1, _ serial: UInt32 = 0, sound: String? = nil) -> Presentation {
    var options = AlarmOptions()
    options.sound = sound
    return Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: "Wake up",
      kind: .alarm,
      state: .alerting,
      due: seven,
      fired: seven,
      late: 0,
      options: options
    )
  }

  static func countdown(seq: UInt64 = 1, _ serial: UInt32 = 0) -> Presentation {
    waiting(seq, serial, .countdown)
  }

  static func paused(seq: UInt64 = 1, _ serial: UInt32 = 0) -> Presentation {
    waiting(seq, serial, .paused)
  }

  private static func waiting(_ seq: UInt64, _ serial: UInt32, _ state: AlarmState) -> Presentation
  {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: "Tea",
      kind: .timer,
      state: state,
      due: seven + .seconds(600),
      countdown: Presentation.Countdown(
        start: state == .paused ? nil : seven,
        fire: state == .paused ? nil : seven + .seconds(600),
        total: 600,
        elapsed: 0,
        snooze: false
      )
    )
  }

  static func cleared(seq: UInt64 = 1, of serial: UInt32 = 0) -> SinkMessage.Cleared {
    SinkMessage.Cleared(
      seq: seq,
      occurrence: occurrence(serial),
      title: "Wake up",
      reason: .stopped,
      source: nil
    )
  }
}

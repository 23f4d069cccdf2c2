import TocsinModel
import TocsinTime

/// Messages for tests.
enum Sample {
  static let now = Instant(seconds: 1_800_000_000)
  static let alarm = AlarmID(high: 1, low: 2)

  static func occurrence(_ serial: UInt32) -> OccurrenceID {
    OccurrenceID(alarm: alarm, origin: now, serial: serial)
  }

  static func alert(seq: UInt64, _ serial: UInt32 = 0, title: String = "Tea") -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: .timer,
      state: .alerting,
      due: now,
      fired: now,
      late: 0
    )
  }

  static func cleared(seq: UInt64, _ serial: UInt32 = 0) -> SinkMessage {
    .cleared(
      SinkMessage.Cleared(
        seq: seq,
        occurrence: occurrence(serial),
        title: "Tea",
        reason: .stopped,
        source: "cli"
      )
    )
  }
}

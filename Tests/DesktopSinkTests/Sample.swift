import SinkKit

@testable import DesktopSink

/// Messages for tests, around 2027-01-15 07:00:00 UTC, a Friday.
enum Sample {
  static let seven = Instant(seconds: 1_799_996_400)
  static let stop = AlarmButton(role: .stop, text: "Stop")
  static let snooze = AlarmButton(role: .snooze, text: "Snooze")
  static let pause = AlarmButton(role: .pause, text: "Pause")

  static func after(_ seconds: Double) -> Instant { seven + .microseconds(Int64(seconds * 1e6)) }

  static func occurrence(_ serial: UInt32 = 0) -> OccurrenceID {
    OccurrenceID(alarm: AlarmID(high: 1, low: 2), origin: seven, serial: serial)
  }

  static func alert(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Pills",
    kind: AlarmKind = .alarm,
    late: Double? = 0,
    snoozes: Int = 0,
    buttons: [AlarmButton] = [stop, snooze]
  ) -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: kind,
      state: .alerting,
      due: seven,
      fired: seven,
      late: late,
      snoozes: snoozes,
      buttons: buttons
    )
  }

  /// A countdown that began at 07:00:00.
  static func countdown(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Tea",
    total: Double = 240,
    snooze: Bool = false
  ) -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: .timer,
      state: .countdown,
      due: after(total),
      countdown: Presentation.Countdown(
        start: seven,
        fire: after(total),
        total: total,
        elapsed: 0,
        snooze: snooze
      ),
      buttons: [pause, stop]
    )
  }

  static func paused(seq: UInt64 = 1, _ serial: UInt32 = 0) -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: "Tea",
      kind: .timer,
      state: .paused,
      due: after(240),
      countdown: Presentation.Countdown(
        start: nil,
        fire: nil,
        total: 240,
        elapsed: 60,
        snooze: false
      ),
      buttons: [AlarmButton(role: .resume, text: "Resume"), stop]
    )
  }

  static func cleared(seq: UInt64, _ serial: UInt32 = 0) -> SinkMessage {
    .cleared(
      SinkMessage.Cleared(
        seq: seq,
        occurrence: occurrence(serial),
        title: "Pills",
        reason: .stopped,
        source: "cli"
      )
    )
  }

  static func missed(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Pills",
    due: Instant = seven,
    _ reason: MissedReason = .late
  ) -> SinkMessage.Missed {
    SinkMessage.Missed(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      due: due,
      reason: reason
    )
  }
}

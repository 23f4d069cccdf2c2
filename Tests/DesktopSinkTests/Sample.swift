import SinkKit
import SinkTesting

/// Presentations with the buttons that the daemon gives them.
extension Sample {
  static let stop = AlarmButton(role: .stop, text: "Stop")
  static let snooze = AlarmButton(role: .snooze, text: "Snooze")
  static let pause = AlarmButton(role: .pause, text: "Pause")
  static let resume = AlarmButton(role: .resume, text: "Resume")

  static func ringing(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Pills",
    kind: AlarmKind = .alarm,
    late: Double? = 0,
    snoozes: Int = 0,
    buttons: [AlarmButton] = [stop, snooze]
  ) -> Presentation {
    alert(
      seq: seq,
      serial,
      title: title,
      kind: kind,
      late: late,
      snoozes: snoozes,
      buttons: buttons
    )
  }

  /// A countdown that began at 07:00:00.
  static func counting(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Tea",
    total: Double = 240,
    snooze: Bool = false
  ) -> Presentation {
    countdown(
      seq: seq,
      serial,
      title: title,
      total: total,
      snooze: snooze,
      buttons: [pause, stop]
    )
  }

  /// Such a countdown after a minute.
  static func halted(seq: UInt64 = 1, _ serial: UInt32 = 0) -> Presentation {
    paused(seq: seq, serial, total: 240, elapsed: 60, buttons: [resume, stop])
  }
}

package import TocsinModel
package import TocsinTime

/// Messages for the tests of sinks, around 2027-01-15 07:00:00 UTC, a Friday.
///
/// The occurrences are told apart by their serial.
package enum Sample {
  package static let seven = Instant(seconds: 1_799_996_400)
  package static let alarm = AlarmID(high: 1, low: 2)

  /// So many seconds after seven.
  package static func after(_ seconds: Double) -> Instant {
    seven + .microseconds(Int64(seconds * 1e6))
  }

  package static func occurrence(_ serial: UInt32 = 0) -> OccurrenceID {
    OccurrenceID(alarm: alarm, origin: seven, serial: serial)
  }

  /// An alarm that rings since `fired` seconds after seven.
  package static func alert(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Wake up",
    kind: AlarmKind = .alarm,
    fired: Double = 0,
    late: Double? = 0,
    resumed: Bool? = nil,
    snoozes: Int = 0,
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
      fired: after(fired),
      late: late,
      resumed: resumed,
      snoozes: snoozes,
      buttons: buttons,
      options: options
    )
  }

  /// A countdown that began `start` seconds after seven.
  package static func countdown(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Tea",
    kind: AlarmKind = .timer,
    total: Double = 600,
    snooze: Bool = false,
    start: Double = 0,
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
      state: .countdown,
      due: after(start + total),
      countdown: Presentation.Countdown(
        start: after(start),
        fire: after(start + total),
        total: total,
        elapsed: 0,
        snooze: snooze
      ),
      buttons: buttons,
      options: options
    )
  }

  /// A countdown that was paused `elapsed` seconds after it began.
  package static func paused(
    seq: UInt64 = 1,
    _ serial: UInt32 = 0,
    title: String = "Tea",
    total: Double = 600,
    elapsed: Double = 348,
    buttons: [AlarmButton] = []
  ) -> Presentation {
    Presentation(
      seq: seq,
      occurrence: occurrence(serial),
      title: title,
      kind: .timer,
      state: .paused,
      due: after(total),
      countdown: Presentation.Countdown(
        start: nil,
        fire: nil,
        total: total,
        elapsed: elapsed,
        snooze: false
      ),
      buttons: buttons
    )
  }

  package static func cleared(
    seq: UInt64 = 1,
    of serial: UInt32 = 0,
    title: String = "Wake up",
    _ reason: ClearReason = .stopped,
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

  package static func notice(
    seq: UInt64 = 1,
    _ level: SinkMessage.Notice.Level = .critical,
    _ text: String = "nobody confirmed that Wake up is heard",
    title: String? = nil
  ) -> SinkMessage.Notice {
    var notice = SinkMessage.Notice(seq: seq, level: level, text: text)
    notice.title = title
    return notice
  }

  package static func missed(
    seq: UInt64 = 1,
    of serial: UInt32 = 0,
    title: String = "Wake up",
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

extension Presentation {
  /// The same for these parts only.
  package func with(parts: [String]?) -> Presentation {
    var changed = self
    changed.parts = parts
    return changed
  }
}

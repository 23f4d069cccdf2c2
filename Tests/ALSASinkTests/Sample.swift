import SinkTesting
import TocsinModel

extension Sample {
  /// An alarm that was snoozed.
  static func snoozed(seq: UInt64, _ serial: UInt32 = 0, sound: String? = nil) -> Presentation {
    countdown(
      seq: seq,
      serial,
      title: "Wake up",
      kind: .alarm,
      total: 540,
      snooze: true,
      sound: sound
    )
  }
}

extension Presentation {
  /// The same with options that only a sound has.
  func with(volume: Double? = nil, fade: Double? = nil, priority: Int? = nil) -> Presentation {
    var changed = self
    changed.options.volume = volume
    changed.options.fade = fade
    changed.options.priority = priority
    return changed
  }

  /// The same as a route wants it, no louder than this.
  func with(limit: Double?) -> Presentation {
    var changed = self
    changed.volumeLimit = limit
    return changed
  }
}

import SinkKit
import TocsinModel
import TocsinTime

/// What is to be heard now: of all alarms that ring, the one that sounds, and how.
struct Ring: Hashable, Sendable {
  /// The alarm that sounds.
  var occurrence: OccurrenceID
  /// When its alert began; after a snooze it rings, and fades, anew.
  var fired: Instant?
  /// The sound as the alarm or the settings name it.
  var sound: String
  /// How loud, 0...1, above 0; where routes have a limit, no louder than that.
  var volume: Double
  /// For how long it grows to its volume.
  var fade: Duration

  /// Whether the same alert goes on, perhaps sounding different.
  func continues(_ other: Ring) -> Bool {
    occurrence == other.occurrence && fired == other.fired
  }

  /// Chooses among what is presented: the highest priority, then the newest.
  ///
  /// Alarms that are to be silent take no part.
  static func choose(among presentations: [Presentation], _ settings: ALSASettings) -> Ring? {
    var best: (presentation: Presentation, ring: Ring)?
    for presentation in presentations {
      guard let ring = Ring(presentation, settings) else { continue }
      if let best, best.presentation.outranks(presentation) { continue }
      best = (presentation, ring)
    }
    return best?.ring
  }

  /// How one alarm sounds; nil unless it rings and is to be heard.
  init?(_ presentation: Presentation, _ settings: ALSASettings) {
    guard presentation.state == .alerting else { return nil }
    let options = presentation.options
    sound = options.sound ?? settings.sound
    let loudest = min(max(presentation.volumeLimit ?? 1, 0), 1)
    volume = min(max(options.volume ?? settings.volume, 0), loudest)
    guard sound != ALSASettings.noSound, volume > 0 else { return nil }
    occurrence = presentation.occurrence
    fired = presentation.fired
    let usual = presentation.kind == .alarm ? settings.fadeIn : .zero
    fade = options.fade.map { .seconds(min(max($0, 0), 3_600)) } ?? usual
  }
}

extension Presentation {
  /// Whether it sounds rather than one that stands behind it in the list.
  fileprivate func outranks(_ other: Presentation) -> Bool {
    let (mine, others) = (options.priority ?? 0, other.options.priority ?? 0)
    guard mine == others else { return mine > others }
    return fired ?? due > other.fired ?? other.due
  }
}

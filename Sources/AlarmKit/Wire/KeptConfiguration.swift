import AppIntents
import TocsinModel

/// What of a configuration the service has no word for, kept beside the alarm so that it can be given back.
struct KeptConfiguration: Codable {
  var presentation: AlarmPresentation
  /// As asked for: the service knows it to the millisecond, and a set of days has no order.
  var schedule: Alarm.Schedule?
  /// The name of the sound as asked for, beside the file it was found in.
  var sound: Sound?
  /// The metadata as JSON, where the service's own form would round a number.
  var metadata: String?
  var entity: EntityIdentifier?

  struct Sound: Codable {
    var name: String
    var file: String
  }

  private enum CodingKeys: String, CodingKey {
    case presentation, schedule, sound, metadata, entity
  }
}

extension TocsinModel.Alarm {
  /// What was kept of its configuration; nil if it was scheduled by other means.
  var kept: KeptConfiguration? {
    get throws { try options.attributes.map { try $0.decoded() } }
  }
}

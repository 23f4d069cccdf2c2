import AppIntents
import TocsinModel
import TocsinTime

/// What of a configuration the service has no word for, kept beside the alarm so that it can be given back.
struct KeptConfiguration: Codable {
  var presentation: AlarmPresentation
  /// A fixed date as asked for, in seconds since 2001: the service knows it to the millisecond.
  var date: TimeInterval?
  /// The days of the week in the order that they were asked for.
  var weekdays: [Locale.Weekday]?
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
    case presentation, date, weekdays, sound, metadata, entity
  }
}

extension KeptConfiguration {
  init(_ presentation: AlarmPresentation, _ schedule: Alarm.Schedule?) {
    self.presentation = presentation
    switch schedule {
    case .fixed(let date): self.date = date.timeIntervalSinceReferenceDate
    case .relative(let relative):
      if case .weekly(let days) = relative.repeats { weekdays = days }
    case nil: break
    }
  }
}

extension TocsinModel.Alarm {
  /// The schedule in Apple's words: as the program said it, unless it was changed since.
  ///
  /// Looks into what was kept without decoding it, since each update of the list asks for each alarm.
  func said(next: Instant?) -> AlarmKit.Alarm.Schedule? {
    guard let schedule, let nearest = AlarmKit.Alarm.Schedule(schedule, next: next) else {
      return nil
    }
    switch nearest {
    case .fixed:
      guard case .fixed(let instant) = schedule, let seconds = options.attributes?["date"]?.double
      else { return nearest }
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      return Instant(date) == instant ? .fixed(date) : nearest
    case .relative(let relative):
      guard case .weekly(let days) = relative.repeats,
        case .array(let names) = options.attributes?["weekdays"]
      else { return nearest }
      let said = names.compactMap { name in
        if case .string(let name) = name { Locale.Weekday(rawValue: name) } else { nil }
      }
      guard Set(said) == Set(days) else { return nearest }
      return .relative(
        AlarmKit.Alarm.Schedule.Relative(time: relative.time, repeats: .weekly(said))
      )
    }
  }

  /// What was kept of its configuration; nil if it was scheduled by other means.
  var kept: KeptConfiguration? {
    get throws { try options.attributes.map { try $0.decoded() } }
  }
}

import TocsinModel
import TocsinTime

extension AlarmTable {
  /// Why an alarm cannot be accepted as it is; nil if it can.
  func refusal(of alarm: Alarm, now: Now) -> ServiceError? {
    if let error = alarm.flaw { return error }
    switch alarm.schedule {
    case nil: return nil
    case .fixed(let instant):
      guard instant < now.wall, alarm.isEnabled else { return nil }
      return ServiceError(.past, "\(instant.rfc3339) is over")
    case .wall(let wall):
      guard zones.zone(for: wall) == nil else { return nil }
      if let name = wall.zone {
        return ServiceError(.noTimeZone, "there is no time zone \(name)")
      }
      return ServiceError(
        .noTimeZone,
        "there is no time zone data for wall-clock times: install tzdata"
      )
    }
  }
}

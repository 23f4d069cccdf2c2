package import TocsinModel
import TocsinTime

extension AlarmPresentationState {
  /// What is to be shown of an alarm as a sink is told; nil for what no sink shows.
  ///
  /// - Parameters:
  ///   - presentation: what a sink is told.
  ///   - zone: the zone of the machine, in which a ring's time is given.
  package init?(_ presentation: Presentation, in zone: TimeZone) {
    self.init(
      presentation.alarm,
      presentation.state,
      presentation.countdown,
      due: presentation.due,
      zone
    )
  }

  /// What is to be shown of an alarm as it stands; nil while it waits for its time.
  ///
  /// - Parameters:
  ///   - status: how it stands.
  ///   - zone: the zone of the machine, in which a ring's time is given.
  package init?(_ status: AlarmStatus, in zone: TimeZone) {
    guard let due = status.due else { return nil }
    self.init(status.alarm.id, status.state, status.countdown, due: due, zone)
  }

  private init?(
    _ id: AlarmID,
    _ state: AlarmState,
    _ countdown: Presentation.Countdown?,
    due: Instant,
    _ zone: TimeZone
  ) {
    let mode: Mode
    switch state {
    case .scheduled: return nil
    case .alerting: mode = .alert(Mode.Alert(time: Alarm.Schedule.Relative.Time(due, in: zone)))
    case .countdown:
      guard let countdown, let start = countdown.start, let fire = countdown.fire else {
        return nil
      }
      mode = .countdown(
        Mode.Countdown(
          totalCountdownDuration: countdown.total,
          previouslyElapsedDuration: countdown.elapsed,
          startDate: Date(start),
          fireDate: Date(fire)
        )
      )
    case .paused:
      guard let countdown else { return nil }
      mode = .paused(
        Mode.Paused(
          totalCountdownDuration: countdown.total,
          previouslyElapsedDuration: countdown.elapsed
        )
      )
    }
    self.init(alarmID: UUID(id), mode: mode)
  }
}

extension Alarm.Schedule.Relative.Time {
  /// What clocks in a zone show at an instant.
  init(_ instant: Instant, in zone: TimeZone) {
    let offset = zone.secondsFromGMT(for: Date(instant))
    self.init(TimeOfDay(secondOfDay: Int((instant.seconds + Int64(offset)) % 86_400)))
  }
}

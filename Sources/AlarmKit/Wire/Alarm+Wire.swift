package import TocsinModel
import TocsinTime

extension Alarm {
  /// The alarm as the service says that it stands.
  package init(_ status: AlarmStatus) {
    self.init(
      id: UUID(status.alarm.id),
      schedule: status.alarm.schedule.flatMap { schedule in
        status.alarm.scheduleAsSaid(schedule)
          ?? Alarm.Schedule(schedule, next: status.scheduled ?? status.next)
      },
      countdownDuration: Alarm.CountdownDuration(status.alarm.countdown),
      state: Alarm.State(status.state)
    )
  }
}

extension TocsinModel.Alarm {
  /// The schedule as the program said it, unless it was changed since; nil if it did not say it.
  fileprivate func scheduleAsSaid(_ schedule: TocsinTime.Schedule) -> AlarmKit.Alarm.Schedule? {
    guard let said = try? options.attributes?["schedule"]?.decoded(AlarmKit.Alarm.Schedule.self),
      (try? said.wire()) == schedule
    else { return nil }
    return said
  }
}

extension Alarm.State {
  init(_ state: AlarmState) {
    switch state {
    case .scheduled: self = .scheduled
    case .countdown: self = .countdown
    case .paused: self = .paused
    case .alerting: self = .alerting
    }
  }
}

package import TocsinModel
import TocsinTime

extension Alarm {
  /// The alarm as the service says that it stands.
  package init(_ status: AlarmStatus) {
    self.init(
      id: UUID(status.alarm.id),
      schedule: status.alarm.said(next: status.scheduled ?? status.next),
      countdownDuration: Alarm.CountdownDuration(status.alarm.countdown),
      state: Alarm.State(status.state)
    )
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

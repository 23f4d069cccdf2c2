public import AlarmKit
import TocsinModel

/// Something that was presented to a person, or withdrawn.
public struct RecordedPresentation: Equatable, Sendable {
  /// When, by the wall clock of the test.
  public var date: Date
  /// The alarm.
  public var alarmID: UUID
  /// What it is for.
  public var title: String
  /// What is presented; nil once it is withdrawn.
  public var state: AlarmPresentationState?
  /// What can be pressed, in order.
  public var buttons: [Button]
  /// Why it was withdrawn: `stopped`, `cancelled`, `missed` and others; nil while it is presented.
  public var reason: String?

  /// A button of a presentation.
  public struct Button: Equatable, Sendable {
    /// Which one it is.
    public var button: TestAlarms.Button
    /// What stands on it.
    public var text: String
  }

  /// What the alarm does, as its state is called; nil once it is withdrawn.
  public var mode: AlarmKit.Alarm.State? {
    switch state?.mode {
    case .alert: .alerting
    case .countdown: .countdown
    case .paused: .paused
    case nil: nil
    }
  }

  init(_ presentation: Presentation, at date: Date, in zone: TimeZone) {
    self.date = date
    alarmID = UUID(presentation.alarm)
    title = presentation.title
    state = AlarmPresentationState(presentation, in: zone)
    buttons = presentation.buttons.compactMap { button in
      TestAlarms.Button.allCases.first { $0.roles.contains(button.role) }
        .map { Button(button: $0, text: button.text) }
    }
  }

  init(_ cleared: SinkMessage.Cleared, at date: Date) {
    self.date = date
    alarmID = UUID(cleared.alarm)
    title = cleared.title
    buttons = []
    reason = cleared.reason.rawValue
  }
}

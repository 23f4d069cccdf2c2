/// What routes, silences and hooks can tell events apart by.
package struct RouteSubject: Hashable, Sendable {
  package var event: RoutedEvent
  package var kind: AlarmKind
  package var alarm: AlarmID
  package var title: String
  package var labels: [String]
  package var priority: Int
  package var sound: String?
  /// The program it belongs to; nil for a person's own.
  package var application: String?

  package init(
    event: RoutedEvent,
    kind: AlarmKind,
    alarm: AlarmID,
    title: String,
    options: AlarmOptions?
  ) {
    self.event = event
    self.kind = kind
    self.alarm = alarm
    self.title = title
    labels = options?.labels ?? []
    priority = options?.priority ?? 0
    sound = options?.sound
    application = options?.application
  }

  /// What an alarm's presentation is.
  package init(_ presentation: Presentation) {
    self.init(
      event: RoutedEvent(presentation.state),
      kind: presentation.kind,
      alarm: presentation.alarm,
      title: presentation.title,
      options: presentation.sharedOptions.chosen?.options
    )
  }
}

/// The events that routes choose sinks for; `cleared` goes wherever what it ends was presented.
package enum RoutedEvent: String, Sendable, CaseIterable {
  case alert
  case countdown
  case paused
  case missed
  case secondary

  package init(_ state: AlarmState) {
    switch state {
    case .alerting: self = .alert
    case .paused: self = .paused
    case .countdown, .scheduled: self = .countdown
    }
  }
}

import TocsinModel
import TocsinTime

// The lines from the daemon to programs that have joined.
extension SampleLines {
  static let applicationMessages: [ApplicationMessage] = {
    var messages: [ApplicationMessage] = statuses.map { .changed($0) }
    messages.append(.removed(alarmID))
    messages += Access.allCases.map { .authorization($0) }
    let answers: [(action: AlarmAction, done: AlarmAction?)] = [
      (.stop, .stop), (.secondary, .snooze), (.secondary, nil),
    ]
    messages += answers.map { action, done in
      .perform(
        PendingIntent(
          number: 7,
          application: "kitchen",
          occurrence: occurrence,
          action: action,
          done: done,
          source: "popup",
          at: time,
          call: call
        )
      )
    }
    return messages
  }()

  /// The type that stands in a message's line.
  static func type(of message: ApplicationMessage) -> String {
    switch message {
    case .changed: "changed"
    case .removed: "removed"
    case .perform: "perform"
    case .authorization: "authorization"
    }
  }
}

import TocsinModel

/// What an alarm's program is to run once a person has answered.
extension AlarmTable {
  /// Asks for the intent that belongs to an action, after the table itself has acted.
  ///
  /// Stop and the secondary button have one each; a snooze by any other button counts as the secondary
  /// one, unless that means something else. A program that acts itself knows what it does, and an
  /// intent that stops its alarm must not bring itself about again.
  mutating func owe(
    _ action: AlarmAction,
    _ entry: Entry,
    _ title: String,
    _ asker: Asker,
    now: Now
  ) {
    guard let application = entry.application, asker.application != application,
      let intents = entry.chosen?.options.intents, let activity = entry.activity
    else { return }
    let call: IntentCall?
    let done: AlarmAction?
    switch action {
    case .stop: (call, done) = (intents.stop, .stop)
    case .secondary: (call, done) = (intents.secondary, entry.hasCustomButton ? nil : .snooze)
    case .snooze: (call, done) = (entry.hasCustomButton ? nil : intents.secondary, .snooze)
    case .pause, .resume, .cancel, .skip, .enable, .disable, .extend, .restart: return
    }
    guard let call else { return }
    let intent = PendingIntent(
      number: 0,
      application: application,
      occurrence: entry.occurrence(from: activity.origin),
      action: action == .stop ? .stop : .secondary,
      done: done,
      source: asker.source,
      at: now.wall,
      call: call
    )
    effects.append(.owe(intent, title: title))
  }
}

extension Entry {
  /// Whether the program's own button leaves the answer to the program.
  var hasCustomButton: Bool {
    chosen?.options.buttons?.first { $0.role == .secondary }?.behavior == .custom
  }
}

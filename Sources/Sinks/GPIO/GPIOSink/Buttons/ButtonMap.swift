import SinkKit

/// What a button's gestures mean, by what is presented.
struct ButtonMap: Hashable {
  /// What one gesture means: one action, or one for each state.
  struct Meaning: Hashable {
    /// What is done in a state.
    var byState: [AlarmState: ButtonAction] = [:]
    /// What is done where the state has nothing of its own.
    var otherwise: ButtonAction?
  }

  /// What is presented, and since when it has been in its state on the event clock.
  struct Shown: Hashable {
    var occurrence: OccurrenceID
    var state: AlarmState
    var since: Duration
    /// Whether it counts because it was snoozed.
    var isSnooze = false
  }

  /// What is to be done.
  struct Answer: Hashable {
    var intents: [Intent] = []
    var saysNext = false
  }

  /// What rings goes before what counts, and that before what is paused.
  static let order: [AlarmState] = [.alerting, .countdown, .paused]

  var meanings: [Gesture: Meaning] = [:]

  /// The answer to a gesture that began at that time; nil if it means nothing now.
  ///
  /// It is for what was there when it began: the alarm that begins to ring under the finger, or
  /// just after another was ended, is not answered by it. So intents name occurrences.
  func answer(to gesture: Gesture, began: Duration, shown: [Shown]) -> Answer? {
    guard let meaning = meanings[gesture] else { return nil }
    for state in Self.order {
      guard let action = meaning.action(in: state) else { continue }
      let meant = shown.filter {
        $0.state == state && $0.since <= began && action.fits($0)
      }
      guard !meant.isEmpty else { continue }
      guard case .intent(let kind, let duration) = action else { return Answer(saysNext: true) }
      return Answer(
        intents: meant.map { Intent(kind, .occurrence($0.occurrence), duration: duration) }
      )
    }
    switch meaning.otherwise {
    case .sayNext?: return Answer(saysNext: true)
    case .intent(.skip, _)?: return Answer(intents: [Intent(.skip, .only)])
    default: return nil
    }
  }
}

extension ButtonAction {
  /// Whether it is meant for this one of its state.
  ///
  /// A snooze is not paused: whoever presses once more than needed would never be woken.
  fileprivate func fits(_ shown: ButtonMap.Shown) -> Bool {
    if case .intent(.pause, _) = self { !shown.isSnooze } else { true }
  }
}

extension ButtonMap.Meaning {
  /// What is done to what is in that state.
  fileprivate func action(in state: AlarmState) -> ButtonAction? {
    if let action = byState[state] { return action }
    return otherwise?.ownState == state ? otherwise : nil
  }
}

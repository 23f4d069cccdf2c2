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
      let meant = shown.filter { $0.state == state && $0.since <= began }
      guard !meant.isEmpty, let action = meaning.action(in: state),
        case .intent(let kind, let duration) = action
      else {
        // A program is for a state only if that state has it for itself.
        if !meant.isEmpty, meaning.byState[state] == .sayNext { return Answer(saysNext: true) }
        continue
      }
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

extension ButtonMap.Meaning {
  /// What is done to what is in that state.
  fileprivate func action(in state: AlarmState) -> ButtonAction? {
    if let action = byState[state] { return action }
    return otherwise?.ownState == state ? otherwise : nil
  }
}

import AppIntents
import Synchronization
import TocsinModel

/// The intents that this process scheduled, as they are.
///
/// Safe to be used from any thread.
final class KnownIntents: Sendable {
  private typealias Calls = [IntentCall: any LiveActivityIntent]

  private struct Kept {
    var intents: [AlarmID: Calls] = [:]
    /// How many alarms' intents are kept before it is looked which of them are still wanted.
    var room = 100
  }

  private let kept = Mutex(Kept())

  /// Keeps what an alarm may want to run, beside what it wanted before: an answer may still be under way.
  func keep(_ calls: [(call: IntentCall, intent: any LiveActivityIntent)], of id: AlarmID) {
    guard !calls.isEmpty else { return }
    kept.withLock { kept in
      for (call, intent) in calls { kept.intents[id, default: [:]][call] = intent }
    }
  }

  /// The intent to run; nil if this process did not schedule it, or has forgotten it.
  func intent(for pending: PendingIntent) -> (any LiveActivityIntent)? {
    kept.withLock { $0.intents[pending.alarm]?[pending.call] }
  }

  /// Whether so many are kept that it is time to forget some.
  var areMany: Bool { kept.withLock { $0.intents.count > $0.room } }

  /// Forgets those of other alarms, which can be made anew.
  func forget(except alarms: Set<AlarmID>) {
    kept.withLock { kept in
      kept.intents = kept.intents.filter { alarms.contains($0.key) }
      kept.room = 2 * kept.intents.count + 100
    }
  }
}

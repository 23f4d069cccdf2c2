import AppIntents
import Synchronization
import TocsinModel

/// The intents that this process scheduled, as they are.
///
/// Safe to be used from any thread.
final class KnownIntents: Sendable {
  private typealias Calls = [IntentCall: any LiveActivityIntent]

  private let intents = Mutex<[AlarmID: Calls]>([:])

  /// Keeps what an alarm may want to run, beside what it wanted before: an answer may still be under way.
  func keep(_ calls: [(call: IntentCall, intent: any LiveActivityIntent)], of id: AlarmID) {
    guard !calls.isEmpty else { return }
    intents.withLock { intents in
      for (call, intent) in calls { intents[id, default: [:]][call] = intent }
    }
  }

  /// The intent to run; nil if this process did not schedule it, or has forgotten it.
  func intent(for pending: PendingIntent) -> (any LiveActivityIntent)? {
    intents.withLock { $0[pending.alarm]?[pending.call] }
  }

  /// Forgets those of other alarms, once there are many of them; they can be made anew.
  func forget(except alarms: Set<AlarmID>) {
    intents.withLock { intents in
      guard intents.count > 2 * alarms.count + 100 else { return }
      intents = intents.filter { alarms.contains($0.key) }
    }
  }
}

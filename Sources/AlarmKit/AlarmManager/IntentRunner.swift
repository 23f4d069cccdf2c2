import AppIntents
import TocsinApplication
import TocsinModel

/// Runs the intents of a program's alarms.
///
/// It knows those that this process scheduled as they are, and makes the others anew from their type's name
/// and their parameters.
final class IntentRunner: Sendable {
  private let known = KnownIntents()

  /// Runs what the line of this manager is handed, as long as both are there.
  func begin(for manager: AlarmManager) {
    manager.link.perform { [weak manager, known] pending in
      // A manager that is gone has closed its line: nobody hears this, and the intent waits on.
      guard let manager else { return "the program has let go of its AlarmManager" }
      return await Self.run(pending, of: manager, known)
    }
  }

  /// Keeps what an alarm may want to run, for as long as this process lives or the alarm does.
  func keep(_ intents: [(call: IntentCall, intent: any LiveActivityIntent)], of id: Alarm.ID) {
    known.keep(intents, of: AlarmID(id))
  }

  /// Forgets what alarms want to run that are no more, once there is much to forget.
  func tidy(_ alarms: () -> [AlarmStatus]) {
    if known.areMany { known.forget(except: Set(alarms().map(\.alarm.id))) }
  }

  private static func run(
    _ pending: PendingIntent,
    of manager: AlarmManager,
    _ known: KnownIntents
  ) async -> String? {
    let intent: any LiveActivityIntent
    do {
      intent = try known.intent(for: pending) ?? pending.call.intent()
    } catch {
      return complain("an intent of alarm \(pending.alarm) cannot be run: \(error)", error)
    }
    do {
      try await RunningIntent.$current.withValue(RunningIntent(pending, of: manager)) {
        try await AlarmManager.$substitute.withValue(manager) {
          _ = try await intent.perform()
        }
      }
      return nil
    } catch {
      let name = "\(type(of: intent))"
      return complain("the intent \(name) of alarm \(pending.alarm) failed: \(error)", error)
    }
  }

  /// Tells the program's author; the service is told what is returned, and does not ask again.
  private static func complain(_ line: String, _ error: any Error) -> String {
    StandardError.say(line)
    return "\(error)"
  }
}

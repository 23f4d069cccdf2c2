package import TocsinModel

/// A program's line to its alarms: to the daemon where there is one, else to a service of its own.
///
/// Safe to be used from any thread. It connects when it is first asked for something, on a thread of its
/// own that also takes what comes in, so nothing here needs the caller's executor or the cooperative pool:
/// a call that waits cannot deadlock with the main actor.
package final class ApplicationLink: Sendable {
  /// How it was made.
  package let options: ApplicationOptions

  /// Makes a line; nothing happens before it is used.
  package init(_ options: ApplicationOptions) {
    self.options = options
  }

  /// Asks and waits.
  ///
  /// - Parameters:
  ///   - body: what is asked.
  ///   - limit: how long to wait at most, connecting included; the options' if nil.
  /// - Returns: the whole answer.
  /// - Throws: `ApplicationError`: refused, or not answered in time.
  package func wait(
    for body: Request.Body,
    within limit: Duration? = nil
  ) throws(ApplicationError) -> ApplicationAnswer {
    throw ApplicationError.unavailable("not yet")
  }

  /// Asks, and suspends instead of waiting.
  ///
  /// - Parameters:
  ///   - body: what is asked.
  ///   - limit: how long to wait at most, connecting included; the options' if nil.
  /// - Returns: the whole answer.
  /// - Throws: `ApplicationError`: refused, or not answered in time; `cancelled` with the task.
  package func answer(
    to body: Request.Body,
    within limit: Duration? = nil
  ) async throws(ApplicationError) -> ApplicationAnswer {
    throw ApplicationError.unavailable("not yet")
  }

  /// The program's alarms as far as is known; the first time it waits for them, at most `answerTime`.
  package var alarms: [AlarmStatus] { [] }

  /// Whether the program may set alarms; the first time it waits for the answer.
  package var access: Access { .notDetermined }

  /// All alarms at once, and again after each change; ends with the task that reads it.
  package func alarmUpdates() -> AsyncStream<[AlarmStatus]> { AsyncStream { $0.finish() } }

  /// Whether it may set alarms, at once and after each change.
  package func accessUpdates() -> AsyncStream<Access> { AsyncStream { $0.finish() } }

  /// Runs intents from now on: called for each answer that has one, one at a time for each alarm.
  ///
  /// - Parameter perform: runs it and says what it threw, nil if nothing.
  package func perform(_ perform: @escaping @Sendable (PendingIntent) async -> String?) {}

  /// Leaves: withdraws nothing from a daemon, ends a service of its own.
  package func close() {}
}

package import TocsinModel

/// A program's line to its alarms: to the daemon where there is one, else to a service of its own.
///
/// Safe to be used from any thread. It connects when it is first asked for something, on a thread of its
/// own that also takes what comes in, so nothing here needs the caller's executor or the cooperative pool:
/// a call that waits cannot deadlock with the main actor.
package final class ApplicationLink: Sendable {
  /// How it was made.
  package let options: ApplicationOptions
  let core: LinkCore

  /// Makes a line; nothing happens before it is used.
  package init(_ options: ApplicationOptions) {
    self.options = options
    core = LinkCore(options)
  }

  deinit { leave() }

  /// Asks and waits.
  ///
  /// - Parameters:
  ///   - body: what is asked.
  ///   - limit: how long to wait at most, connecting included; the options' if nil.
  /// - Returns: the whole answer.
  /// - Throws: `ApplicationError`: refused, or not answered in time.
  @discardableResult
  package func wait(
    for body: Request.Body,
    within limit: Duration? = nil
  ) throws(ApplicationError) -> ApplicationAnswer {
    try wait(body, limit ?? options.answerTime)
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
    guard !Task.isCancelled else { throw .cancelled }
    let limit = limit ?? options.answerTime
    let (call, answer) = core.ask(body, within: limit)
    let result = await withTaskCancellationHandler {
      await answer.result()
    } onCancel: {
      _ = core.abandon(call, after: limit)
      answer.fulfil(.failure(.cancelled))
    }
    return try result.get()
  }

  /// The program's alarms as far as is known; the first time it waits for them, at most `answerTime`.
  ///
  /// The next to ring first, then by identity.
  package var alarms: [AlarmStatus] {
    if let alarms = core.alarms { return alarms }
    _ = try? wait(nil, options.answerTime)
    return core.alarms ?? []
  }

  /// Whether the program may set alarms; the first time it waits for the answer.
  package var access: Access {
    if let access = core.access { return access }
    _ = try? wait(nil, options.answerTime)
    return core.access ?? .notDetermined
  }

  /// All alarms at once, and again after each change; ends with the task that reads it.
  package func alarmUpdates() -> AsyncStream<[AlarmStatus]> {
    AsyncStream { continuation in
      let reader = core.addReader(ofAlarms: continuation)
      // Who reads keeps the line, or it would end where only the stream is held on to.
      continuation.onTermination = { [self] _ in core.removeReader(reader) }
      if core.isClosed { continuation.finish() }
    }
  }

  /// Whether it may set alarms, at once and after each change.
  package func accessUpdates() -> AsyncStream<Access> {
    AsyncStream { continuation in
      let reader = core.addReader(ofAccess: continuation)
      continuation.onTermination = { [self] _ in core.removeReader(reader) }
      if core.isClosed { continuation.finish() }
    }
  }

  /// Runs intents from now on: called for each answer that has one, one at a time for each alarm.
  ///
  /// - Parameter perform: runs it and says what it threw, nil if nothing.
  package func perform(_ perform: @escaping @Sendable (PendingIntent) async -> String?) {
    core.set(perform: perform)
  }

  /// Leaves: withdraws nothing from a daemon, ends a service of its own.
  ///
  /// Returns when that has ended, except on the line's own thread. A line that is let go of leaves too, and
  /// waits for nothing.
  package func close() {
    leave()
    if core.hasThread, !core.isOnThread { _ = core.end.wait() }
  }

  private func leave() { core.post(.closed) }

  /// Asks and waits; nothing to ask for means: until the alarms are known.
  func wait(
    _ body: Request.Body?,
    _ limit: Duration
  ) throws(ApplicationError) -> ApplicationAnswer {
    guard !core.isOnThread else {
      throw .unavailable("the line's own thread cannot wait for itself; ask in a task")
    }
    let (call, answer) = core.ask(body, within: nil)
    guard let result = answer.wait(until: monotonicNow().after(limit)) else {
      throw core.abandon(call, after: limit)
    }
    return try result.get()
  }
}

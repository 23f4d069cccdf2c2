import TocsinApplication
import TocsinModel

/// The answer whose intent runs in this task.
///
/// The system acts before an intent runs, and an intent is often written to do the same once more. So what
/// it asks of its own alarm means the ring that was answered, and what is done already is no failure. It
/// may run long after the answer, when the alarm may be gone or ring for another time.
struct RunningIntent: Sendable {
  /// The one of this task, nil outside an intent.
  @TaskLocal static var current: RunningIntent?

  let manager: AlarmManager
  let alarm: Alarm.ID
  let occurrence: OccurrenceID
  /// What the system did itself: `stop`, `snooze`, or nothing.
  let done: AlarmAction?

  init(_ pending: PendingIntent, of manager: AlarmManager) {
    self.manager = manager
    alarm = UUID(pending.alarm)
    occurrence = pending.occurrence
    done = pending.done
  }

  /// Carries out what the intent asks of its own alarm.
  ///
  /// - Parameters:
  ///   - action: what to do.
  ///   - duration: the length of a snooze in seconds; the alarm's own if nil.
  /// - Throws: `AlarmManager.Failure`.
  func act(_ action: AlarmAction, duration: Double? = nil) throws {
    switch action {
    case .stop: try stop()
    case .snooze: try snooze(duration)
    case .cancel:
      do {
        try manager.act(Intent(.cancel, on: alarm), on: alarm)
      } catch let failure as AlarmManager.Failure where failure.reason == .unknownAlarm {
        // Stopping it has deleted it.
      }
    default: try manager.act(Intent(action, on: alarm), on: alarm)
    }
  }

  private func stop() throws {
    if done == .stop { return }
    do {
      try manager.ask(.intent(Intent(.stop, .occurrence(occurrence))), about: alarm)
    } catch let failure as AlarmManager.Failure where failure.isOver {
      // Somebody else has stopped it, or its time to ring was over.
    }
  }

  private func snooze(_ duration: Double?) throws {
    // An hour later it may ring again, for a ring that nobody has answered.
    if done == .snooze { return try lengthen(to: duration) }
    do {
      let intent = Intent(.snooze, .occurrence(occurrence), duration: duration)
      try manager.ask(.intent(intent), about: alarm)
    } catch let failure as AlarmManager.Failure where failure.isOver && done == nil {
      // It ended while the intent ran.
    } catch let failure as AlarmManager.Failure where failure.isWrongState && isCounting {
      // Somebody else has snoozed it.
    }
  }

  /// Gives the snooze under way another length, if that is wanted.
  private func lengthen(to duration: Double?) throws {
    guard let duration, let snooze = manager.status(of: alarm), snooze.occurrence == occurrence,
      let countdown = snooze.countdown, countdown.snooze, countdown.total != duration
    else { return }
    let change = duration - countdown.total
    do {
      try manager.ask(
        .intent(Intent(.extend, .occurrence(occurrence), duration: change)),
        about: alarm
      )
    } catch let failure as AlarmManager.Failure where failure.isOver || failure.isWrongState {
      // It rings again already, or is over.
    }
  }

  private var isCounting: Bool {
    guard let status = manager.status(of: alarm) else { return false }
    return status.occurrence == occurrence && status.countdown != nil
  }
}

extension AlarmManager.Failure {
  fileprivate var isOver: Bool { reason == .noLongerRinging || reason == .unknownAlarm }

  fileprivate var isWrongState: Bool {
    if case .wrongState = reason { true } else { false }
  }
}

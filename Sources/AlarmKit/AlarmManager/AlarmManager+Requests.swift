import TocsinApplication
import TocsinModel

/// How everything is asked for.
extension AlarmManager {
  /// Asks and waits, without leaving the thread.
  ///
  /// - Throws: what `thrown(for:about:)` makes of a refusal.
  @discardableResult
  func ask(_ body: Request.Body, about id: Alarm.ID? = nil) throws -> ApplicationAnswer {
    do throws(ApplicationError) {
      return try link.wait(for: body)
    } catch {
      throw thrown(for: error, about: id)
    }
  }

  /// Asks, and suspends instead of waiting.
  ///
  /// - Throws: what `thrown(for:about:)` makes of a refusal.
  @discardableResult
  func ask(_ body: Request.Body, about id: Alarm.ID? = nil) async throws -> ApplicationAnswer {
    do throws(ApplicationError) {
      return try await link.answer(to: body)
    } catch {
      throw thrown(for: error, about: id)
    }
  }

  /// Does something to one alarm, whatever occurrence of it is under way.
  ///
  /// - Returns: the alarm as it is afterwards, or was last.
  /// - Throws: `Failure`.
  @discardableResult
  func act(_ intent: Intent, on id: Alarm.ID) throws -> Alarm {
    let answer: ApplicationAnswer = try ask(.intent(intent), about: id)
    guard let status = answer.alarms.first else {
      throw Failure(.unknownAlarm, alarmID: id)
    }
    return Alarm(status)
  }
}

extension Intent {
  /// An action on one alarm.
  init(_ action: AlarmAction, on id: UUID, duration: Double? = nil, undo: Bool = false) {
    self.init(action, .named("\(AlarmID(id))"), duration: duration, undo: undo)
  }
}

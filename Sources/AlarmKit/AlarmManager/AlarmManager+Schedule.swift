import TocsinApplication
import TocsinModel
import TocsinTime

extension AlarmManager {
  /// Accepts an alarm or a timer; once this returns it is stored and will ring.
  ///
  /// With a pre-alert duration and no schedule it counts down at once; with a schedule it waits for its time,
  /// and counts down before it for as long as the pre-alert duration says. Where plugins.conf wants programs
  /// to ask first, this asks. A fixed date that was read from the clock just before still rings, at once.
  ///
  /// If the task is cancelled meanwhile, `alarms` tells whether it was accepted.
  ///
  /// - Parameters:
  ///   - id: the alarm's identity, which no other alarm has.
  ///   - configuration: when, how and with what.
  /// - Returns: the alarm as it stands.
  /// - Throws: `AlarmError.maximumLimitReached`, or `Failure`, such as `duplicateID`, `past`, `invalid` and
  ///   `notAuthorized`; `IntentCodingError` for an intent that cannot be made again later.
  @discardableResult
  public func schedule<Metadata: AlarmMetadata>(
    id: Alarm.ID,
    configuration: AlarmConfiguration<Metadata>
  ) async throws -> Alarm {
    try await accept(configuration, as: id) { .schedule($0) }
  }

  /// Sends an alarm with its intents, which may be called for before the answer is here.
  func accept<Metadata: AlarmMetadata>(
    _ configuration: AlarmConfiguration<Metadata>,
    as id: Alarm.ID,
    _ request: (TocsinModel.Alarm) -> Request.Body
  ) async throws -> Alarm {
    let called = Date()
    let alarm: TocsinModel.Alarm
    do {
      alarm = try configuration.alarm(
        id: id,
        sounds: AlarmSounds.folders(of: application)
      )
    } catch let error as AlarmConfigurationError {
      throw Failure(error, about: id)
    }
    intents.tidy { link.alarms }
    intents.keep(try configuration.intents(), of: id)
    let answer: ApplicationAnswer
    do {
      answer = try await ask(request(alarm), about: id)
    } catch let failure as Failure where failure.reason == .past {
      guard alarm.isDue(at: called) else { throw failure }
      answer = try await askForNow(alarm, request)
    }
    guard let status = answer.alarms.first else { throw Failure(.unavailable, alarmID: id) }
    return Alarm(status)
  }

  /// Asks for an alarm that is due now, which is over once it has arrived: a moment later, then.
  private func askForNow(
    _ alarm: TocsinModel.Alarm,
    _ request: (TocsinModel.Alarm) -> Request.Body
  ) async throws -> ApplicationAnswer {
    var alarm = alarm
    var margin = 0.2
    while true {
      alarm.schedule = Instant(Date() + margin).map { .fixed($0) }
      do {
        return try await ask(request(alarm), about: UUID(alarm.id))
      } catch let failure as Failure where failure.reason == .past && margin < 10 {
        margin *= 3
      }
    }
  }
}

extension TocsinModel.Alarm {
  /// Whether it was to ring at that moment: whoever reads the clock and then asks means now, and is a little
  /// late.
  fileprivate func isDue(at date: Date) -> Bool {
    guard case .fixed(let instant) = schedule else { return false }
    return abs(date.timeIntervalSince(Date(instant))) < 1
  }
}

import TocsinApplication
import TocsinModel

/// What the service says no with, as AlarmKit throws it.
extension AlarmManager {
  /// The error that a program is to see.
  ///
  /// - Parameters:
  ///   - error: why there is no answer.
  ///   - id: the alarm it is about.
  /// - Returns: `AlarmError`, `CancellationError` or `Failure`.
  func thrown(for error: ApplicationError, about id: Alarm.ID? = nil) -> any Error {
    switch error {
    case .refused(let refusal) where refusal.code == .limitReached:
      return AlarmError.maximumLimitReached
    case .refused(let refusal):
      return Failure(reason(of: refusal, about: id), alarmID: id, message: refusal.message)
    case .unavailable(let text): return Failure(.unavailable, alarmID: id, message: text)
    case .timeout(let seconds):
      let message = "no answer within \(seconds) s; whether it was done is not known"
      return Failure(.timedOut, alarmID: id, message: message)
    case .cancelled: return CancellationError()
    }
  }

  private func reason(of refusal: ServiceError, about id: Alarm.ID?) -> Failure.Reason {
    switch refusal.code {
    case .duplicate: .duplicateID
    case .past: .past
    case .permission: .notAuthorized
    case .notFound, .ambiguous: .unknownAlarm
    case .wrongState: .wrongState(id.flatMap { state(of: $0) })
    case .stale: .noLongerRinging
    case .noTimeZone: .noTimeZone
    case .storage: .storage
    case .busy, .config, .unknownRequest: .unavailable
    case .invalid, .tooLarge, .badRequest, .limitReached: .invalid(refusal.message)
    }
  }
}

extension AlarmManager.Failure {
  /// What of a configuration cannot be meant.
  init(_ error: AlarmConfigurationError, about id: UUID) {
    let text = error.errorDescription ?? "\(error)"
    self.init(.invalid(text), alarmID: id, message: text, remedy: error.recoverySuggestion)
  }
}

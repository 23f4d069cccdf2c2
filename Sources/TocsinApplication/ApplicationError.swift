package import TocsinModel

/// Why a program did not get its answer.
package enum ApplicationError: Error, Hashable, Sendable {
  /// The service says no, and why.
  case refused(ServiceError)
  /// Nothing answers: one sentence for a person.
  case unavailable(String)
  /// No answer within so many seconds; whether it was done is not known.
  case timeout(seconds: Double)
  /// The task was cancelled.
  case cancelled
}

extension ApplicationError: CustomStringConvertible {
  /// One sentence without a full stop: the thing, the place, the remedy.
  package var description: String {
    switch self {
    case .refused(let error): error.message
    case .unavailable(let text): text
    case .timeout(let seconds):
      "no answer within \(seconds) s; whether it was done is not known: look at the alarms, then ask again"
    case .cancelled: "the task was cancelled"
    }
  }
}

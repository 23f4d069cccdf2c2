/// Why an intent cannot be written down, or not be made anew.
public enum IntentCodingError: Error, Hashable, Sendable {
  /// The program has no such type, or none that can be found by its name.
  case noType(name: String)
  /// A parameter that must be given was not.
  case noValue(type: String, parameter: String)
  /// A parameter's value cannot be written down.
  case unwritable(type: String, parameter: String, problem: String)
  /// What is written down is of another kind than the parameter.
  case unreadable(type: String, parameter: String, problem: String)
  /// What is written down is an intent, but not one that a button can ask for.
  case notForButtons(type: String)
}

extension IntentCodingError: LocalizedError, CustomStringConvertible {
  /// One sentence without a full stop: the thing, the place, the remedy.
  public var description: String {
    switch self {
    case .noType(let name):
      "the intent's type \(name) is not in this program or is private: keep the type and its name while alarms use it, outside of functions and not private"
    case .noValue(let type, let parameter):
      "the parameter \(parameter) of the intent \(type) has no value: give it one, or a default"
    case .unwritable(let type, let parameter, let problem):
      "\(Self.place(type, parameter)) cannot be written down: \(problem)"
    case .unreadable(let type, let parameter, let problem):
      "\(Self.place(type, parameter)) is not what was written down for it: \(problem)"
    case .notForButtons(let type):
      "the intent \(type) is no LiveActivityIntent: alarms run only those"
    }
  }

  /// The same sentence.
  public var errorDescription: String? { description }

  private static func place(_ type: String, _ parameter: String) -> String {
    parameter.isEmpty
      ? "the intent \(type)" : "the parameter \(parameter) of the intent \(type)"
  }
}

/// Why a text names no time; its description is one sentence that says what to write instead.
public struct TimeTextError: Error, Hashable, Sendable {
  /// What kind of refusal it is.
  public enum Reason: Hashable, Sendable {
    /// The text is outside the grammar, or could mean two things.
    case notUnderstood
    /// The text is understood, and over.
    case past
    /// The text is understood, and names a time that the clocks leave out.
    case nonexistent
    /// The text is understood, and nothing that can be waited for: zero, negative, too long.
    case outOfRange
    /// The text names a zone that cannot be had.
    case zone
  }

  /// The text that was given, unchanged.
  public let text: String
  /// What kind of refusal it is.
  public let reason: Reason
  /// What was made of the text, such as "10 is a number without a unit".
  public let understood: String
  /// What to do about it, such as "did you mean 10m or 10:00?".
  public let remedy: String

  /// An error about that text.
  public init(text: String, reason: Reason, understood: String, remedy: String) {
    self.text = text
    self.reason = reason
    self.understood = understood
    self.remedy = remedy
  }
}

extension TimeTextError: CustomStringConvertible {
  /// One sentence, such as `cannot understand "10": 10 is a number without a unit; did you …?`.
  public var description: String {
    let verb = reason == .notUnderstood ? "understand" : "take"
    return "cannot \(verb) \"\(text.shortened)\": \(understood); \(remedy)"
  }
}

/// A refusal on its way to the text it is about.
struct Refusal: Error {
  var reason = TimeTextError.Reason.notUnderstood
  let understood: String
  let remedy: String

  func about(_ text: some StringProtocol) -> TimeTextError {
    TimeTextError(text: String(text), reason: reason, understood: understood, remedy: remedy)
  }
}

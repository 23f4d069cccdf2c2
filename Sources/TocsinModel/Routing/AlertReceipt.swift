public import TocsinTime

/// What became of an alert at one sink.
public struct AlertReceipt: Hashable, Sendable, Codable {
  /// The sink's name.
  public var sink: String
  /// The parts of it that were asked; nil is the whole of it.
  public var parts: [String]?
  /// How it ended, or that it has not.
  public var result: Result
  /// When that was known.
  public var at: Instant?
  /// Whether a person asleep would have heard it.
  public var audible: Bool
  /// What went wrong, in words for a person.
  public var detail: String?

  /// The ways an alert can end at a sink.
  public enum Result: String, Codable, Sendable, CaseIterable {
    /// The sink has not answered yet.
    case pending
    /// It really presents it.
    case presented
    /// It cannot.
    case failed
    /// It did not answer in time.
    case timedOut
  }

  package init(
    sink: String,
    parts: [String]? = nil,
    result: Result = .pending,
    at: Instant? = nil,
    audible: Bool,
    detail: String? = nil
  ) {
    self.sink = sink
    self.parts = parts
    self.result = result
    self.at = at
    self.audible = audible
    self.detail = detail
  }
}

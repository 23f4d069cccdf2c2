/// What a presentation shows that does not change while it is shown.
public protocol ActivityAttributes: Decodable, Encodable {
  /// What changes while it is shown.
  associatedtype ContentState: Decodable, Encodable, Hashable
}

/// What is to be drawn at one moment.
public struct ActivityViewContext<Attributes: ActivityAttributes> {
  /// Tells this presentation from others.
  public let activityID: String
  /// What does not change.
  public let attributes: Attributes
  /// What it is now.
  public let state: Attributes.ContentState
  /// Whether it may be out of date.
  public let isStale: Bool

  /// Puts together what is to be drawn.
  ///
  /// - Parameters:
  ///   - activityID: tells this presentation from others.
  ///   - attributes: what does not change.
  ///   - state: what it is now.
  ///   - isStale: whether it may be out of date.
  public init(
    activityID: String,
    attributes: Attributes,
    state: Attributes.ContentState,
    isStale: Bool = false
  ) {
    self.activityID = activityID
    self.attributes = attributes
    self.state = state
    self.isStale = isStale
  }
}

extension ActivityViewContext: Sendable
where Attributes: Sendable, Attributes.ContentState: Sendable {}

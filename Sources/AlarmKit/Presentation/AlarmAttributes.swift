public import ActivityKit

/// How an alarm is shown, and what the program wants back with it.
public struct AlarmAttributes<Metadata: AlarmMetadata>: ActivityAttributes, Codable, Sendable {
  /// What changes while it is shown.
  public typealias ContentState = AlarmPresentationState

  /// What is shown.
  public var presentation: AlarmPresentation
  /// What the program wants back with each event.
  public var metadata: Metadata?
  /// The colour it is shown in; lamps take it too.
  public var tintColor: Color

  /// Puts together how an alarm is shown.
  ///
  /// - Parameters:
  ///   - presentation: what is shown.
  ///   - metadata: what the program wants back with each event.
  ///   - tintColor: the colour it is shown in.
  public init(presentation: AlarmPresentation, metadata: Metadata? = nil, tintColor: Color) {
    self.presentation = presentation
    self.metadata = metadata
    self.tintColor = tintColor
  }
}

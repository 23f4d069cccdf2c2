public import TocsinResources

/// How somebody is told of something.
public struct AlertConfiguration: Sendable {
  /// The first line.
  public var title: LocalizedStringResource
  /// What stands below it.
  public var body: LocalizedStringResource
  /// What is heard.
  public var sound: AlertSound

  /// Puts together how somebody is told.
  ///
  /// - Parameters:
  ///   - title: the first line.
  ///   - body: what stands below it.
  ///   - sound: what is heard.
  public init(
    title: LocalizedStringResource,
    body: LocalizedStringResource,
    sound: AlertConfiguration.AlertSound
  ) {
    self.title = title
    self.body = body
    self.sound = sound
  }
}

/// A button of an alarm's presentation.
public struct AlarmButton: Codable, Sendable {
  /// What stands on it.
  public var text: LocalizedStringResource
  /// The text's colour.
  public var textColor: Color
  /// The name of its symbol; empty for none.
  public var systemImageName: String
  /// What it is for, where that is known; decides what a secondary button without a behaviour does.
  package var purpose: Purpose?

  /// What a button is for.
  package enum Purpose: String, Codable, Sendable {
    /// Stop, as it is unless the program says otherwise.
    case stop
    case snooze, `repeat`, openApp
  }

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - text: what stands on it.
  ///   - textColor: the text's colour.
  ///   - systemImageName: the name of its symbol; empty for none.
  public init(text: LocalizedStringResource, textColor: Color, systemImageName: String) {
    self.text = text
    self.textColor = textColor
    self.systemImageName = systemImageName
  }

  private enum CodingKeys: String, CodingKey { case text, textColor, systemImageName, purpose }
}

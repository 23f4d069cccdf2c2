extension AlarmPresentation {
  /// What is shown while an alarm rings.
  public struct Alert: Codable, Sendable {
    /// What it is for.
    public var title: LocalizedStringResource
    /// A button beside stop; nil without.
    public var secondaryButton: AlarmButton?
    /// What the system does when it is pressed; nil leaves it to what the button is for.
    public var secondaryButtonBehavior: SecondaryButtonBehavior?
    /// Ends the ring.
    ///
    /// Since iOS 26.1 the system draws it and giving one is deprecated; here both are welcome.
    public var stopButton: AlarmButton

    /// Puts together what is shown, with the system's stop button.
    ///
    /// - Parameters:
    ///   - title: what it is for.
    ///   - secondaryButton: a button beside stop; nil without.
    ///   - secondaryButtonBehavior: what the system does when it is pressed; nil leaves it to what the button
    ///     is for: one that opens the program is `custom`, any other is `countdown`.
    public init(
      title: LocalizedStringResource,
      secondaryButton: AlarmButton? = nil,
      secondaryButtonBehavior: SecondaryButtonBehavior? = nil
    ) {
      self.init(
        title: title,
        stopButton: .systemStop,
        secondaryButton: secondaryButton,
        secondaryButtonBehavior: secondaryButtonBehavior
      )
    }

    /// Puts together what is shown, with a stop button of its own; deprecated since iOS 26.1, not here.
    ///
    /// - Parameters:
    ///   - title: what it is for.
    ///   - stopButton: ends the ring.
    ///   - secondaryButton: a button beside stop; nil without.
    ///   - secondaryButtonBehavior: what the system does when it is pressed; nil leaves it to what the button
    ///     is for.
    public init(
      title: LocalizedStringResource,
      stopButton: AlarmButton,
      secondaryButton: AlarmButton? = nil,
      secondaryButtonBehavior: SecondaryButtonBehavior? = nil
    ) {
      self.title = title
      self.stopButton = stopButton
      self.secondaryButton = secondaryButton
      self.secondaryButtonBehavior = secondaryButtonBehavior
    }

    /// What the system does when the secondary button is pressed.
    public enum SecondaryButtonBehavior: Codable, Equatable, Hashable, Sendable {
      /// It snoozes the alarm, then runs the secondary intent if there is one.
      case countdown
      /// It only runs the secondary intent; the alarm rings until that ends it.
      case custom
    }
  }
}

extension AlarmPresentation.Alert {
  private enum CodingKeys: String, CodingKey {
    case title, secondaryButton, secondaryButtonBehavior, stopButton
  }

  /// Decodes an alert; its stop button is the system's where none is there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try container.decode(LocalizedStringResource.self, forKey: .title),
      stopButton: try container.decodeIfPresent(AlarmButton.self, forKey: .stopButton)
        ?? .systemStop,
      secondaryButton: try container.decodeIfPresent(AlarmButton.self, forKey: .secondaryButton),
      secondaryButtonBehavior: try container.decodeIfPresent(
        SecondaryButtonBehavior.self,
        forKey: .secondaryButtonBehavior
      )
    )
  }

  /// Encodes the alert, with its stop button unless that is the system's.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    try container.encodeIfPresent(secondaryButton, forKey: .secondaryButton)
    try container.encodeIfPresent(secondaryButtonBehavior, forKey: .secondaryButtonBehavior)
    if !stopButton.isSystemStop { try container.encode(stopButton, forKey: .stopButton) }
  }
}

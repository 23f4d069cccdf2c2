// Beyond Apple's: buttons in fewer words.
extension AlarmButton {
  /// Makes a button of its text alone.
  ///
  /// - Parameters:
  ///   - label: what stands on it.
  ///   - systemImageName: the name of its symbol; empty for none.
  ///   - textColor: the text's colour.
  public init(
    label: LocalizedStringResource,
    systemImageName: String = "",
    textColor: Color = .white
  ) {
    self.init(text: label, textColor: textColor, systemImageName: systemImageName)
  }

  /// A secondary button that snoozes, unless the alert gives another behaviour.
  ///
  /// - Parameters:
  ///   - label: what stands on it.
  ///   - textColor: the text's colour.
  /// - Returns: the button.
  public static func snoozeButton(
    label: LocalizedStringResource = "Snooze",
    textColor: Color = .white
  ) -> AlarmButton {
    button(label, "zzz", textColor, .snooze)
  }

  /// A secondary button that counts again, unless the alert gives another behaviour.
  ///
  /// - Parameters:
  ///   - label: what stands on it.
  ///   - textColor: the text's colour.
  /// - Returns: the button.
  public static func repeatButton(
    label: LocalizedStringResource = "Repeat",
    textColor: Color = .white
  ) -> AlarmButton {
    button(label, "repeat", textColor, .repeat)
  }

  /// A secondary button that leaves the answer to the program, unless the alert gives another behaviour.
  ///
  /// - Parameters:
  ///   - label: what stands on it.
  ///   - textColor: the text's colour.
  /// - Returns: the button.
  public static func openAppButton(
    label: LocalizedStringResource = "Open",
    textColor: Color = .white
  ) -> AlarmButton {
    button(label, "arrow.up.forward.app", textColor, .openApp)
  }

  /// The stop button of an alert that says nothing of one.
  static var systemStop: AlarmButton { button("Stop", "stop.circle", .white, .stop) }

  /// Whether it is the system's stop button, and nobody has changed it since.
  var isSystemStop: Bool {
    let system = Self.systemStop
    return purpose == .stop && text == system.text && textColor == system.textColor
      && systemImageName == system.systemImageName
  }

  private static func button(
    _ label: LocalizedStringResource,
    _ symbol: String,
    _ color: Color,
    _ purpose: Purpose
  ) -> AlarmButton {
    var button = AlarmButton(label: label, systemImageName: symbol, textColor: color)
    button.purpose = purpose
    return button
  }
}

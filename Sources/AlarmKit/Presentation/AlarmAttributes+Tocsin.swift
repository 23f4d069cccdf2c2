// Beyond Apple's: attributes of an alarm without metadata.
extension AlarmAttributes where Metadata == NoMetadata {
  /// Puts together how an alarm without metadata is shown.
  ///
  /// - Parameters:
  ///   - presentation: what is shown.
  ///   - tintColor: the colour it is shown in.
  public init(presentation: AlarmPresentation, tintColor: Color) {
    self.init(presentation: presentation, metadata: nil, tintColor: tintColor)
  }

  /// Names the colour, where the presentation is given in parts: in `schedule(id:) { … }`.
  ///
  /// - Parameter tintColor: the colour it is shown in.
  public init(tintColor: Color) {
    self.init(
      presentation: AlarmPresentation(alert: AlarmPresentation.Alert(title: "")),
      metadata: nil,
      tintColor: tintColor
    )
  }
}

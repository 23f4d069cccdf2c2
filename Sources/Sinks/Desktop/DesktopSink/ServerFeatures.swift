/// What a notification server can do, as its GetCapabilities says.
struct ServerFeatures: Hashable, Sendable {
  /// Whether pop-ups have buttons.
  var hasActions = false
  /// Whether the body is read as markup, so that `<` and `&` need to be escaped.
  var hasBodyMarkup = false
  /// Whether a pop-up may be replaced every second without being raised as a new one each time.
  var updatesInPlace = false

  init(hasActions: Bool = false, hasBodyMarkup: Bool = false, updatesInPlace: Bool = false) {
    self.hasActions = hasActions
    self.hasBodyMarkup = hasBodyMarkup
    self.updatesInPlace = updatesInPlace
  }

  init(capabilities: Set<String>) {
    hasActions = capabilities.contains("actions")
    hasBodyMarkup = capabilities.contains("body-markup")
    updatesInPlace = !capabilities.isDisjoint(with: [
      "x-dunst-stack-tag", "x-canonical-private-synchronous", "private-synchronous", "synchronous",
    ])
  }
}

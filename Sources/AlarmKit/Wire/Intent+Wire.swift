package import AppIntents
package import TocsinModel

extension IntentCall {
  /// Writes an intent down.
  ///
  /// - Throws: `IntentCodingError` that names the type and the parameter.
  package init(_ intent: any LiveActivityIntent) throws {
    let form = try IntentForm(intent)
    self.init(
      type: form.type,
      // Numbers that would be rounded are kept in a text.
      parameters: try form.parameters.map { json in
        JSONValue.rounds(json) ? .string(json) : try JSONValue(json: json)
      }
    )
  }

  /// Makes the intent anew.
  ///
  /// - Returns: an intent of the type it was, with the same parameters.
  /// - Throws: `IntentCodingError` that names the type and the parameter.
  package func intent() throws -> any LiveActivityIntent {
    var json: String?
    switch parameters {
    case nil: break
    case .string(let text): json = text
    case let value?: json = try value.json
    }
    let intent = try IntentForm(type: type, parameters: json).intent()
    guard let intent = intent as? any LiveActivityIntent else {
      throw IntentCodingError.notForButtons(type: "\(Swift.type(of: intent))")
    }
    return intent
  }
}

extension AlarmManager.AlarmConfiguration {
  /// The intents as they are, each with what is written down of it.
  ///
  /// - Throws: `IntentCodingError` that names the type and the parameter.
  package func intents() throws -> [(call: IntentCall, intent: any LiveActivityIntent)] {
    try [stopIntent, secondaryIntent].compactMap { intent in
      guard let intent else { return nil }
      return (try IntentCall(intent), intent)
    }
  }
}

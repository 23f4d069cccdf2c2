/// An intent written down: what it takes to make it anew.
package struct IntentForm: Hashable, Sendable {
  /// The name that the type is found by.
  package var type: String
  /// Its parameters as JSON, or all of it if it writes itself; nil for one without any.
  package var parameters: String?

  package init(type: String, parameters: String? = nil) {
    self.type = type
    self.parameters = parameters
  }
}

extension IntentForm {
  /// Writes an intent down, and remembers its type as long as the process lives.
  ///
  /// - Parameter intent: an intent whose parameters have values.
  /// - Throws: `IntentCodingError` that names the type and the parameter.
  package init(_ intent: any AppIntent) throws(IntentCodingError) {
    let type = Swift.type(of: intent)
    let name = IntentTypes.name(of: type)
    let parameters = IntentParameters(of: intent)
    if parameters.isEmpty, let whole = intent as? any Encodable {
      self.init(type: name, parameters: try Self.json(whole, type: "\(type)"))
      return
    }
    guard !parameters.isEmpty else {
      self.init(type: name)
      return
    }
    if let missing = parameters.firstWithoutValue {
      throw .noValue(type: "\(type)", parameter: missing)
    }
    self.init(type: name, parameters: try Self.json(parameters, type: "\(type)"))
  }

  /// Makes the intent anew.
  ///
  /// - Returns: an intent of the type it was, with the same parameters.
  /// - Throws: `IntentCodingError` that names the type and the parameter.
  package func intent() throws(IntentCodingError) -> any AppIntent {
    guard let type = IntentTypes.type(named: self.type) else { throw .noType(name: self.type) }
    if let whole = type as? any (AppIntent & Decodable).Type,
      IntentParameters(of: whole.init()).isEmpty
    {
      return try Self.value(whole, from: parameters ?? "{}")
    }
    let intent = type.init()
    let slots = IntentParameters(of: intent)
    guard !slots.isEmpty else { return intent }
    let decoder = JSONDecoder()
    decoder.userInfo[IntentParameters.userInfoKey] = slots
    try Self.explaining(type: "\(type)") {
      _ = try decoder.decode(FilledParameters.self, from: Data((parameters ?? "{}").utf8))
    }
    if let missing = slots.firstWithoutValue {
      throw .noValue(type: "\(type)", parameter: missing)
    }
    return intent
  }

  private static func json(
    _ value: some Encodable,
    type: String
  ) throws(IntentCodingError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var text = ""
    try explaining(type: type) { text = String(decoding: try encoder.encode(value), as: UTF8.self) }
    return text
  }

  private static func value<Intent: AppIntent & Decodable>(
    _ type: Intent.Type,
    from json: String
  ) throws(IntentCodingError) -> any AppIntent {
    var intent = type.init()
    try explaining(type: "\(type)") {
      intent = try JSONDecoder().decode(type, from: Data(json.utf8))
    }
    return intent
  }

  /// Says of what a coder throws which type and parameter it is about.
  private static func explaining(
    type: String,
    _ body: () throws -> Void
  ) throws(IntentCodingError) {
    do {
      try body()
    } catch let error as IntentCodingError {
      throw error
    } catch let error as DecodingError {
      throw .unreadable(
        type: type,
        parameter: error.context?.codingPath.first?.stringValue ?? "",
        problem: error.context?.debugDescription ?? "\(error)"
      )
    } catch let EncodingError.invalidValue(_, context) {
      throw .unwritable(
        type: type,
        parameter: context.codingPath.first?.stringValue ?? "",
        problem: context.debugDescription
      )
    } catch {
      throw .unwritable(type: type, parameter: "", problem: "\(error)")
    }
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}

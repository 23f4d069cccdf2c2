import TocsinModel

extension JSONValue {
  /// Any value as JSON.
  ///
  /// - Throws: `EncodingError` for what JSON has not, such as infinity.
  init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    // A fragment alone is no document to all versions of the coder.
    let data = try encoder.encode([value])
    guard let value = try JSONDecoder().decode([JSONValue].self, from: data).first else {
      self = .null
      return
    }
    self = value
  }

  /// Reads JSON.
  ///
  /// - Throws: `DecodingError` if it is none.
  init(json: String) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
  }

  /// The value as JSON.
  var json: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }

  /// What it stands for.
  ///
  /// - Throws: `DecodingError` if it is something else.
  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(self))
  }

  /// Whether JSON holds a whole number that a value of this type would round.
  ///
  /// A whole number has up to 18 digits within 64 bits, whatever they are; longer runs of digits stand for
  /// numbers that may not fit, or for a text that looks like one, which does no harm.
  static func rounds(_ json: String) -> Bool {
    var run = 0
    for byte in json.utf8 {
      run = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? run + 1 : 0
      if run > 18 { return true }
    }
    return false
  }

  /// The number; nil if it is none.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The member of an object; nil if there is none, or it is no object.
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}

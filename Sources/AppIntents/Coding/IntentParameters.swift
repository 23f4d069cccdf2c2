/// The parameters of one intent, by their names.
struct IntentParameters: Sendable {
  /// Where a decoder finds the parameters that it is to fill.
  static let userInfoKey = CodingUserInfoKey(rawValue: "intent") ?? Self.never

  // The key's initializer has no way to fail but says it has.
  private static var never: CodingUserInfoKey {
    preconditionFailure("a CodingUserInfoKey can be made of any text")
  }

  private(set) var slots: [(name: String, parameter: any CodableParameter)] = []

  /// Finds the parameters of an intent, also those that its class has from others.
  init(of intent: any AppIntent) {
    var mirror: Mirror? = Mirror(reflecting: intent)
    while let part = mirror {
      for child in part.children {
        guard let label = child.label, let parameter = child.value as? any CodableParameter else {
          continue
        }
        // The storage behind `@Parameter var alarm` is called `_alarm`.
        slots.append((label.hasPrefix("_") ? String(label.dropFirst()) : label, parameter))
      }
      mirror = part.superclassMirror
    }
  }

  var isEmpty: Bool { slots.isEmpty }

  /// The first parameter that must be given and was not.
  var firstWithoutValue: String? { slots.first { !$0.parameter.hasValue }?.name }
}

/// A parameter whatever its value's type is.
protocol CodableParameter: Sendable {
  var hasValue: Bool { get }
  func encode(to container: inout KeyedEncodingContainer<ParameterName>, as name: String) throws
  /// Fills the storage that copies of an intent just made share.
  func fill(from container: KeyedDecodingContainer<ParameterName>, as name: String) throws
}

/// A parameter's name as a key.
struct ParameterName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

extension IntentParameters: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ParameterName.self)
    for (name, parameter) in slots { try parameter.encode(to: &container, as: name) }
  }
}

/// Fills the parameters that the decoder was given.
///
/// What is not written down keeps its default, and what is written down beyond them is passed over: an intent may have
/// got other parameters since.
struct FilledParameters: Decodable {
  init(from decoder: any Decoder) throws {
    let parameters = decoder.userInfo[IntentParameters.userInfoKey] as? IntentParameters
    let container = try decoder.container(keyedBy: ParameterName.self)
    for (name, parameter) in parameters?.slots ?? []
    where container.contains(ParameterName(name)) {
      try parameter.fill(from: container, as: name)
    }
  }
}

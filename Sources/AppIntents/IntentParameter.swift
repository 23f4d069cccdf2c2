public import TocsinResources

/// A value that an intent is asked with: `@Parameter(title: "Alarm") var alarm: String`.
///
/// Copies of an intent are independent of each other: giving one another value leaves the others as they are.
@propertyWrapper
public struct IntentParameter<Value: Codable & Sendable>: Sendable {
  /// What it is called.
  public let title: LocalizedStringResource?
  /// What it is for.
  public let description: LocalizedStringResource?
  private var box: Box

  /// Holds the value outside the intent, so that one just made can be filled in from what was written down.
  ///
  /// Safe because it is written at two moments only: in `init`, and by `fill`, which is called on an intent just
  /// made that no other thread knows of. Giving a parameter a value makes a new box.
  private final class Box: @unchecked Sendable {
    var value: Value?
    init(_ value: Value?) { self.value = value }
  }

  /// Declares a parameter.
  ///
  /// - Parameters:
  ///   - title: what it is called.
  ///   - description: what it is for.
  ///   - defaultValue: what it is unless given; nil for one that must be given, unless it is optional itself.
  public init(
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil,
    default defaultValue: Value? = nil
  ) {
    self.title = title
    self.description = description
    let none = (Value.self as? any OptionalValue.Type)?.none as? Value
    box = Box(defaultValue ?? none)
  }

  /// Declares a parameter with its value.
  ///
  /// - Parameters:
  ///   - wrappedValue: what it is unless given.
  ///   - title: what it is called.
  ///   - description: what it is for.
  public init(
    wrappedValue: Value,
    title: LocalizedStringResource? = nil,
    description: LocalizedStringResource? = nil
  ) {
    self.init(title: title, description: description, default: wrappedValue)
  }

  /// The value; one that must be given has to be given before it is read.
  public var wrappedValue: Value {
    get {
      guard let value = box.value else {
        preconditionFailure(
          "the parameter \(title.map { String(localized: $0) } ?? "of an intent") has no value: give it one before it is read"
        )
      }
      return value
    }
    set { box = Box(newValue) }
  }

  /// The parameter itself: `$alarm`.
  public var projectedValue: IntentParameter<Value> { self }
}

extension IntentParameter: CodableParameter {
  var hasValue: Bool { box.value != nil }

  func encode(to container: inout KeyedEncodingContainer<ParameterName>, as name: String) throws {
    try container.encodeIfPresent(box.value, forKey: ParameterName(name))
  }

  func fill(from container: KeyedDecodingContainer<ParameterName>, as name: String) throws {
    box.value = try container.decode(Value.self, forKey: ParameterName(name))
  }
}

/// A kind of value that can be left out.
private protocol OptionalValue {
  static var none: Self { get }
}

extension Optional: OptionalValue {}

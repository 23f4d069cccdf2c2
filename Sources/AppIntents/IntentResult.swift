public import TocsinResources

/// What an intent came to.
public protocol IntentResult: Sendable {}

/// A result that holds a value.
public protocol ReturnsValue<Value>: IntentResult {
  /// The kind of value.
  associatedtype Value: Sendable
  /// The value.
  var value: Value? { get }
}

/// A result that holds a sentence for a person.
public protocol ProvidesDialog: IntentResult {
  /// The sentence.
  var dialog: IntentDialog? { get }
}

/// A sentence for a person, spoken or shown.
public struct IntentDialog: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The sentence.
  public var text: LocalizedStringResource

  /// Makes it of a text.
  public init(_ text: LocalizedStringResource) { self.text = text }

  /// Makes it of a text.
  public init(stringLiteral value: String) {
    self.init(LocalizedStringResource(stringLiteral: value))
  }

  /// Makes it of a text with values in it.
  public init(stringInterpolation: LocalizedStringResource.StringInterpolation) {
    self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
  }
}

/// The results that `result()` makes.
public struct IntentResultContainer<Value: Sendable>: ReturnsValue, ProvidesDialog {
  /// The value; nil without.
  public var value: Value?
  /// The sentence; nil without.
  public var dialog: IntentDialog?
}

extension IntentResult where Self == IntentResultContainer<Never> {
  /// Nothing but that it is done.
  public static func result() -> Self { Self(value: nil, dialog: nil) }

  /// A sentence for a person.
  public static func result(dialog: IntentDialog) -> Self { Self(value: nil, dialog: dialog) }
}

extension IntentResult {
  /// A value.
  public static func result<Value>(value: Value) -> Self
  where Self == IntentResultContainer<Value> { Self(value: value, dialog: nil) }

  /// A value, and a sentence for a person.
  public static func result<Value>(value: Value, dialog: IntentDialog) -> Self
  where Self == IntentResultContainer<Value> { Self(value: value, dialog: dialog) }
}

import AppIntents
import Foundation

enum Unit: String, Codable, Sendable { case cups, grams }

struct Amount: Codable, Hashable, Sendable {
  var count: Double
  var unit: Unit
}

/// One of each kind of parameter.
struct BakeIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Bake"

  @Parameter(title: "Recipe") var recipe: String
  @Parameter(title: "Oven") var oven: UUID
  @Parameter(title: "Note") var note: String?
  @Parameter(title: "Loaves", default: 2) var loaves: Int
  @Parameter(title: "Amounts") var amounts: [Amount]
  @Parameter(title: "By unit") var words: [String: Int] = [:]
  @Parameter(title: "Unit", description: "how it is weighed") var unit: Unit?
  @Parameter(title: "At") var at: Date
  @Parameter(title: "Big") var big: UInt64
  @Parameter var plain: Bool

  func perform() async throws -> some IntentResult & ReturnsValue<String> {
    .result(value: "\(recipe) \(loaves)")
  }

  static var example: BakeIntent {
    var intent = BakeIntent()
    intent.recipe = "Rye \"dark\" %@ ü"
    intent.oven = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))
    intent.amounts = [Amount(count: 0.1, unit: .cups), Amount(count: 500, unit: .grams)]
    intent.words = ["a": 1, "b": -2]
    intent.unit = .grams
    intent.at = Date(timeIntervalSinceReferenceDate: 821_111_111.123_456)
    intent.big = .max
    intent.plain = true
    return intent
  }

  func isSame(as other: BakeIntent) -> Bool {
    recipe == other.recipe && oven == other.oven && note == other.note && loaves == other.loaves
      && amounts == other.amounts && words == other.words && unit == other.unit && at == other.at
      && big == other.big && plain == other.plain
  }
}

/// Writes itself, and has no parameters.
struct WholeIntent: LiveActivityIntent, Codable, Equatable {
  static let title: LocalizedStringResource = "Whole"
  var count = 1
  var names: [String] = []
  func perform() async throws -> some IntentResult { .result() }
}

/// Has nothing to fill in.
struct EmptyIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Empty"
  static let openAppWhenRun = true
  func perform() async -> some IntentResult { .result(dialog: "Done") }
}

class BaseIntent {
  @IntentParameter(title: "Name") var name: String
}

/// A class that has a parameter from another class.
///
/// Safe because a test uses it from one task at a time.
final class DerivedIntent: BaseIntent, AppIntent, @unchecked Sendable {
  static let title: LocalizedStringResource = "Derived"
  @Parameter(title: "Count") var count: Int
  override init() {}
  func perform() async throws -> some IntentResult { .result() }
}

struct GenericIntent<Value: Codable & Sendable>: LiveActivityIntent {
  static var title: LocalizedStringResource { "Generic" }
  @Parameter(title: "Value") var value: Value
  func perform() async throws -> some IntentResult { .result() }
}

private struct PrivateIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Private"
  @Parameter(title: "Count") var count: Int
  func perform() async throws -> some IntentResult { .result() }
}

enum Hidden {
  /// An intent of a private type, and how to look into it.
  static func intent(count: Int) -> any AppIntent {
    var intent = PrivateIntent()
    intent.count = count
    return intent
  }

  static func count(_ intent: any AppIntent) -> Int? { (intent as? PrivateIntent)?.count }
}

struct RunError: Error, Equatable {}

struct FailingIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Failing"
  @MainActor func perform() async throws -> some IntentResult {
    if Self.isDiscoverable { throw RunError() }
    return .result()
  }
}

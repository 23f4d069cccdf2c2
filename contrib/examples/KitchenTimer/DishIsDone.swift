import AlarmKit
import AppIntents

/// Runs when somebody has stopped the timer, wherever that was.
struct DishIsDone: LiveActivityIntent {
  static let title: LocalizedStringResource = "The dish is done"

  @Parameter(title: "Alarm ID") var alarmID: String
  @Parameter(title: "Dish") var dish: String

  init() {}

  init(alarmID: UUID, dish: String) {
    self.alarmID = alarmID.uuidString
    self.dish = dish
  }

  func perform() async throws -> some IntentResult {
    // The system has stopped it already; saying so once more, as apps do, is no error.
    if let id = UUID(uuidString: alarmID) { try AlarmManager.shared.stop(id: id) }
    say("intent: \(dish): off the stove")
    Self.runs.continuation.finish()
    return .result()
  }

  private static let runs = AsyncStream<Never>.makeStream()

  /// Returns once it has run.
  static func hasRun() async {
    for await _ in runs.stream {}
  }
}

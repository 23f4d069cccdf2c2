import AlarmKit
import AppIntents

/// Says when it begins and ends, and waits in between if the environment says so.
struct TestIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Test"

  @Parameter(title: "Alarm ID") var alarmID: String
  @Parameter(title: "Word") var word: String

  init() {}

  init(_ id: UUID, _ word: String) {
    alarmID = id.uuidString
    self.word = word
  }

  func perform() async throws -> some IntentResult {
    say("begin \(word) \(alarmID)")
    if ProcessInfo.processInfo.environment["HOLD"] != nil {
      for await _ in Self.gate.stream {}
    }
    if let id = UUID(uuidString: alarmID) {
      if word == "snooze" {
        try AlarmManager.shared.countdown(id: id)
      } else {
        try AlarmManager.shared.stop(id: id)
      }
    }
    say("end \(word) \(alarmID)")
    return .result()
  }

  private static let gate = AsyncStream<Never>.makeStream()

  /// Lets what waits go on.
  static func go() { gate.continuation.finish() }
}

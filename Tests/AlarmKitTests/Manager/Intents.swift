import AlarmKit
import AppIntents

/// Stops its alarm, as most intents behind a stop button do.
struct StopIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Stop"

  @Parameter(title: "Alarm") var alarmID: String

  init() {}
  init(_ id: UUID) { alarmID = id.uuidString }

  func perform() async throws -> some IntentResult {
    try AlarmManager.shared.stop(id: try uuid(alarmID))
    Deeds.note("stop", alarmID)
    return .result()
  }
}

/// Snoozes its alarm.
struct SnoozeIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Snooze"

  @Parameter(title: "Alarm") var alarmID: String

  init() {}
  init(_ id: UUID) { alarmID = id.uuidString }

  func perform() async throws -> some IntentResult {
    try AlarmManager.shared.countdown(id: try uuid(alarmID))
    Deeds.note("snooze", alarmID)
    return .result()
  }
}

/// Does what its parameter says, on the main actor.
struct DoIntent: LiveActivityIntent {
  static let title: LocalizedStringResource = "Do"

  @Parameter(title: "Alarm") var alarmID: String
  @Parameter(title: "What") var what: String
  @Parameter(title: "How long", default: 0) var seconds: Double

  init() {}
  init(_ what: String, _ id: UUID, seconds: Double = 0) {
    alarmID = id.uuidString
    self.what = what
    self.seconds = seconds
  }

  @MainActor
  func perform() async throws -> some IntentResult {
    let id = try uuid(alarmID)
    let manager = AlarmManager.shared
    switch what {
    case "stop": try manager.stop(id: id)
    case "stop twice":
      try manager.stop(id: id)
      try manager.stop(id: id)
    case "snooze": try manager.countdown(id: id)
    case "snooze longer": try manager.countdown(id: id, duration: seconds)
    case "cancel": try manager.cancel(id: id)
    case "pause": try manager.pause(id: id)
    case "throw": throw Refused()
    default: break
    }
    Deeds.note(what, alarmID)
    return .result()
  }
}

struct Refused: Error, CustomStringConvertible {
  var description: String { "the intent did not want to" }
}

struct NoUUID: Error {}

func uuid(_ text: String) throws -> UUID {
  guard let id = UUID(uuidString: text) else { throw NoUUID() }
  return id
}

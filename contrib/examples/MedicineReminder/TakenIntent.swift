import AlarmKit
import AppIntents

/// Runs when somebody presses "Taken": writes the dose down, and only then ends the alarm.
///
/// The behaviour of its button is `.custom`, so the system does nothing by itself and the alarm rings on
/// until this has run, also if the program has to be started again for it.
struct TakenIntent: LiveActivityIntent {
  // `var`, as most code for iOS has it: this example is built in the Swift 5 language mode.
  static var title: LocalizedStringResource = "Taken"
  static var description: IntentDescription? = IntentDescription("Records the dose, then stops it.")

  @Parameter(title: "Alarm ID") var alarmID: String
  @Parameter(title: "Medicine") var medicine: String

  init() {}

  init(alarmID: UUID, medicine: String) {
    self.alarmID = alarmID.uuidString
    self.medicine = medicine
  }

  func perform() async throws -> some IntentResult {
    await DoseRecord.shared.add(medicine)
    if let id = UUID(uuidString: alarmID) { try AlarmManager.shared.stop(id: id) }
    return .result()
  }
}

import AlarmKit

struct DoseInfo: AlarmMetadata {
  var medicine: String
  var amount: String
}

/// One reminder, from its time to the end of its intent.
struct MedicineReminder {
  private let manager = AlarmManager.shared
  private let id = UUID()

  /// Does all that a person would, and gives the exit code.
  static func run(_ arguments: ArraySlice<String>) async -> Int32 {
    // A reminder of a demonstration need not outlive it: kept in memory, unless the environment says where.
    setenv("TOCSIN_ALARMKIT", "ephemeral", 0)
    guard let seconds = arguments.isEmpty ? 3 : TimeInterval(arguments.joined()),
      seconds > 0, seconds < 86_400
    else {
      say("usage: example-medicine-reminder [SECONDS]")
      return 64
    }
    let reminder = MedicineReminder()
    do {
      try await reminder.remind(of: "Ibuprofen", at: Date(timeIntervalSinceNow: seconds))
      return 0
    } catch {
      say("\(error)")
      try? reminder.manager.cancel(id: reminder.id)
      return 1
    }
  }

  /// Sets the alarm, as an app for iOS would.
  private func schedule(_ medicine: String, at date: Date) async throws -> Alarm {
    guard try await manager.requestAuthorization() == .authorized else {
      throw AlarmManager.Failure(.notAuthorized)
    }
    let alert = AlarmPresentation.Alert(
      title: "Time for \(medicine)",
      secondaryButton: AlarmButton(
        text: "Taken",
        textColor: .white,
        systemImageName: "checkmark.circle"
      ),
      secondaryButtonBehavior: .custom
    )
    return try await manager.schedule(
      id: id,
      configuration: .alarm(
        schedule: .fixed(date),
        attributes: AlarmAttributes(
          presentation: AlarmPresentation(alert: alert),
          metadata: DoseInfo(medicine: medicine, amount: "1 tablet"),
          tintColor: .indigo
        ),
        secondaryIntent: TakenIntent(alarmID: id, medicine: medicine)
      )
    )
  }

  private func remind(of medicine: String, at date: Date) async throws {
    let bedside = Bedside()
    let attachment = try manager.attach(bedside)
    defer { attachment.detach() }
    let alarm = try await schedule(medicine, at: date)
    say("\(medicine) is due in \(Int(date.timeIntervalSinceNow.rounded())) s")
    // It is there until it was answered: a one-shot that was stopped is gone.
    for await alarms in manager.alarmUpdates where !alarms.contains(where: { $0.id == alarm.id }) {
      break
    }
    let doses = await DoseRecord.shared.doses
    say(doses.isEmpty ? "stopped, and nothing taken" : "stopped; doses today: \(doses.count)")
  }
}

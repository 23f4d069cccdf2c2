import AlarmKit

struct WakeUpInfo: AlarmMetadata {
  var label: String
}

/// The one alarm of this program, under an identity that is the same each time it runs.
struct WeekdayWakeUp {
  private let manager = AlarmManager.shared
  private let id = UUID(uuid: (0x70, 0xC5, 1, 0, 0, 7, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 7))

  /// Does what the option says, and gives the exit code.
  static func run(_ arguments: ArraySlice<String>) async -> Int32 {
    let wakeUp = WeekdayWakeUp()
    do {
      guard try await wakeUp.manager.requestAuthorization() == .authorized else {
        throw AlarmManager.Failure(.notAuthorized)
      }
      switch (arguments.first, arguments.count) {
      case (nil, _): try await wakeUp.set()
      case ("--list", 1): try await wakeUp.list()
      case ("--cancel", 1): try wakeUp.cancel()
      default:
        say("usage: example-weekday-wake-up [--list|--cancel]")
        return 64
      }
      return 0
    } catch {
      say("\(error)")
      return 1
    }
  }

  private func set() async throws {
    if await alarms().contains(where: { $0.id == id }) {
      say("it is set already")
    } else {
      _ = try await schedule()
      say("it is set")
    }
    try await list()
    say("to delete it: swift run example-weekday-wake-up --cancel")
  }

  /// Sets the alarm, as an app for iOS would.
  private func schedule() async throws -> Alarm {
    let alert = AlarmPresentation.Alert(
      title: "Good morning",
      secondaryButton: AlarmButton(text: "Snooze", textColor: .white, systemImageName: "zzz"),
      secondaryButtonBehavior: .countdown
    )
    let configuration = AlarmManager.AlarmConfiguration(
      countdownDuration: Alarm.CountdownDuration(preAlert: nil, postAlert: 9 * 60),
      schedule: .relative(
        Alarm.Schedule.Relative(
          time: Alarm.Schedule.Relative.Time(hour: 7, minute: 0),
          repeats: .weekly([.monday, .tuesday, .wednesday, .thursday, .friday])
        )
      ),
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(alert: alert),
        metadata: WakeUpInfo(label: "Work"),
        tintColor: .yellow
      )
    )
    return try await manager.schedule(id: id, configuration: configuration)
  }

  private func list() async throws {
    let alarms = await alarms()
    if alarms.isEmpty { say("no alarm is set") }
    for alarm in alarms {
      let details = try manager.details(for: alarm.id)
      let next = details.nextFireDate.map { "\($0.formatted(date: .complete, time: .shortened))" }
      say("\(details.title): \(alarm.state), rings next \(next ?? "never")")
    }
  }

  /// The alarms of this program as they are now.
  private func alarms() async -> [Alarm] {
    for await alarms in manager.alarmUpdates { return alarms }
    return []
  }

  private func cancel() throws {
    try manager.cancel(id: id)
    say("it is deleted")
  }
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

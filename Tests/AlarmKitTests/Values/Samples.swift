import AlarmKit
import AppIntents

struct Dose: AlarmMetadata {
  var medicine: String
  var milligrams: Double
  var patient: UInt64?
}

struct StopDose: LiveActivityIntent {
  static let title: LocalizedStringResource = "Stop"
  @Parameter(title: "Alarm") var alarm: String
  @Parameter(title: "Number", default: 0) var number: UInt64

  init() {}
  init(alarm: String, number: UInt64 = 0) {
    self.alarm = alarm
    self.number = number
  }

  func perform() async throws -> some IntentResult { .result() }
}

struct ShowDose: LiveActivityIntent {
  static let title: LocalizedStringResource = "Show"
  func perform() async throws -> some IntentResult { .result() }
}

enum Sample {
  static let id = UUID(uuid: (0xE6, 0x21, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x0A))

  static let button = AlarmButton(text: "Later", textColor: .orange, systemImageName: "zzz")

  /// An alarm that says all that can be said.
  static var full: AlarmManager.AlarmConfiguration<Dose> {
    let minutes = 5
    var configuration = AlarmManager.AlarmConfiguration(
      countdownDuration: Alarm.CountdownDuration(preAlert: 600.25, postAlert: 300),
      schedule: .relative(
        Alarm.Schedule.Relative(
          time: Alarm.Schedule.Relative.Time(hour: 7, minute: 5),
          repeats: .weekly([.sunday, .monday, .friday])
        )
      ),
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(
          alert: AlarmPresentation.Alert(
            title: "Take it in \(minutes) min",
            stopButton: AlarmButton(text: "Taken", textColor: .white, systemImageName: ""),
            secondaryButton: button,
            secondaryButtonBehavior: .custom
          ),
          countdown: AlarmPresentation.Countdown(title: "Soon", pauseButton: button),
          paused: AlarmPresentation.Paused(title: "Not yet", resumeButton: button)
        ),
        metadata: Dose(medicine: "Aspirin", milligrams: 0.1, patient: 12),
        tintColor: .indigo
      ),
      stopIntent: StopDose(alarm: id.uuidString, number: .max),
      secondaryIntent: ShowDose(),
      sound: .named("birds").volume(0.5).fadeIn(over: .seconds(30))
    )
    configuration.ringDuration = 0
    configuration.snoozeLimit = 3
    configuration.autoSnooze = 0
    configuration.priority = -5
    configuration.labels = ["health", "daily"]
    configuration.isEnabled = false
    return configuration
  }

  /// An alarm that says as little as may be.
  static func plain(
    _ schedule: Alarm.Schedule? = .fixed(Date(timeIntervalSince1970: 2_000_000_000))
  ) -> AlarmManager.AlarmConfiguration<NoMetadata> {
    .alarm(
      schedule: schedule,
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(alert: AlarmPresentation.Alert(title: "Up")),
        tintColor: .blue
      )
    )
  }

  static func time(_ hour: Int, _ minute: Int) -> Alarm.Schedule.Relative.Time {
    Alarm.Schedule.Relative.Time(hour: hour, minute: minute)
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

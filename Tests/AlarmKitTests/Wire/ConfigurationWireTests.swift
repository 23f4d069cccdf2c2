import ActivityKit
import AlarmKit
import AppIntents
import Testing
import TocsinModel
import TocsinTime

@Suite("A configuration in the service's words")
struct ConfigurationWireTests {
  private let full = Result { try Sample.full.alarm(id: Sample.id, sounds: []) }

  @Test("has its times and lengths")
  func times() throws {
    let alarm = try full.get()
    #expect("\(alarm.id)" == "e6210000-0000-4000-8000-00000000000a")
    #expect(UUID(alarm.id) == Sample.id && AlarmID(Sample.id) == alarm.id)
    let days: WeekdaySet = [.mon, .fri, .sun]
    let time = try #require(TimeOfDay("07:05"))
    #expect(alarm.schedule == .wall(WallSchedule(time: time, days: .weekly(days))))
    #expect(alarm.countdown == TocsinModel.CountdownDuration(preAlert: 600.25, postAlert: 300))
    #expect(!alarm.isEnabled && alarm.flaw == nil)
    let timer = try AlarmManager.AlarmConfiguration.timer(
      duration: 60,
      attributes: Sample.plain().attributes
    ).alarm(id: Sample.id, sounds: [])
    #expect(timer.kind == .timer && timer.isEnabled)
    #expect(timer.countdown == TocsinModel.CountdownDuration(preAlert: 60))
  }

  @Test("has its texts, looked up")
  func texts() throws {
    let alarm = try full.get()
    #expect(alarm.title == "Take it in 5 min")
    #expect(alarm.options.titles == AlarmOptions.Titles(countdown: "Soon", paused: "Not yet"))
    #expect(try Sample.plain().alarm(id: Sample.id, sounds: []).options.titles == nil)
  }

  @Test("has its own buttons and no others")
  func buttons() throws {
    let options = try full.get().options
    func later(
      _ role: AlarmAction,
      _ behavior: TocsinModel.AlarmButton.Behavior? = nil
    ) -> TocsinModel.AlarmButton {
      TocsinModel.AlarmButton(
        role: role,
        text: "Later",
        color: "#ff9500",
        symbol: "zzz",
        behavior: behavior
      )
    }
    let stop = TocsinModel.AlarmButton(role: .stop, text: "Taken", color: "#ffffff")
    #expect(options.buttons == [stop, later(.secondary, .custom), later(.pause), later(.resume)])
    #expect(options.exactButtons == true)
    let plain = try Sample.plain().alarm(id: Sample.id, sounds: []).options
    #expect(plain.buttons == [] && plain.exactButtons == true)
  }

  @Test("has a secondary button that does what is said, or what it is for")
  func behavior() throws {
    typealias Alert = AlarmPresentation.Alert
    func behavior(
      _ button: AlarmKit.AlarmButton,
      _ said: Alert.SecondaryButtonBehavior? = nil,
      postAlert: Double? = nil,
      intent: (any LiveActivityIntent)? = nil
    ) throws -> TocsinModel.AlarmButton.Behavior? {
      var configuration = Sample.plain()
      configuration.countdownDuration = .init(preAlert: nil, postAlert: postAlert)
      configuration.secondaryIntent = intent
      configuration.attributes.presentation.alert = Alert(
        title: "a",
        secondaryButton: button,
        secondaryButtonBehavior: said
      )
      return try configuration.alarm(id: Sample.id, sounds: []).options.buttons?.first?.behavior
    }
    #expect(try behavior(.snoozeButton()) == .countdown)
    #expect(try behavior(.repeatButton(), intent: ShowDose()) == .countdown)
    #expect(try behavior(.openAppButton(), postAlert: 5) == .custom)
    #expect(try behavior(.openAppButton(), .countdown) == .countdown)
    #expect(try behavior(.snoozeButton(), .custom) == .custom)
    #expect(try behavior(Sample.button) == .countdown)
    #expect(try behavior(Sample.button, postAlert: 5, intent: ShowDose()) == .countdown)
    #expect(try behavior(Sample.button, intent: ShowDose()) == .custom)
  }

  @Test("has its looks, its loudness and its limits")
  func options() throws {
    let options = try full.get().options
    #expect(options.tint == "#5856d6" && options.sound == "birds")
    #expect(options.volume == 0.5 && options.fade == 30 && options.priority == -5)
    #expect(options.ringFor == 0 && options.snoozeLimit == 3 && options.autoSnooze == 0)
    #expect(options.labels == ["health", "daily"] && options.application == nil)
    let plain = try Sample.plain().alarm(id: Sample.id, sounds: []).options
    #expect(plain.sound == nil && plain.volume == nil && plain.fade == nil && plain.labels == nil)
    #expect(plain.ringFor == nil && plain.snoozeLimit == nil && plain.priority == nil)
    #expect(plain.metadata == nil && plain.intents == nil && plain.autoSnooze == nil)
  }

  @Test("has its metadata as anybody may read it, and its intents as the program may")
  func contents() throws {
    let options = try full.get().options
    #expect(
      options.metadata
        == .object([
          "medicine": .string("Aspirin"), "milligrams": .number(0.1), "patient": .integer(12),
        ])
    )
    let calls = try Sample.full.intents()
    #expect(calls.map(\.call) == [options.intents?.stop, options.intents?.secondary])
    #expect((calls.first?.intent as? StopDose)?.number == .max)
    #expect(options.intents?.secondary?.parameters == nil)
    // A number that the service would round is kept in a text.
    guard case .string(let text) = options.intents?.stop?.parameters else {
      Issue.record("\(options)")
      return
    }
    #expect(text.contains("18446744073709551615"))
    let small = try IntentCall(StopDose(alarm: "a", number: 3))
    #expect(small.parameters == .object(["alarm": .string("a"), "number": .integer(3)]))
  }

  @Test("is the same each time, so that asking again is no other alarm")
  func stable() throws {
    let again = try Sample.full.alarm(id: Sample.id, sounds: [])
    #expect(try full.get() == again)
    let line = try JSONLine.encode(again)
    #expect(try JSONLine.decode(TocsinModel.Alarm.self, from: line) == again)
  }
}

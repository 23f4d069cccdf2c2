import ActivityKit
import AlarmKit
import AppIntents
import Testing
import TocsinModel
import TocsinTime

@Suite("A configuration that is given back")
struct RestoreTests {
  /// As it comes back from the service: through a line of the protocol.
  private func sent<Metadata>(
    _ configuration: AlarmManager.AlarmConfiguration<Metadata>
  ) throws -> TocsinModel.Alarm {
    let alarm = try configuration.alarm(id: Sample.id, sounds: [])
    return try JSONLine.decode(TocsinModel.Alarm.self, from: try JSONLine.encode(alarm))
  }

  @Test("is all that was asked for")
  func full() throws {
    let said = Sample.full
    let back = try AlarmManager.AlarmConfiguration<Dose>(try sent(said))
    #expect(back.countdownDuration == said.countdownDuration && back.schedule == said.schedule)
    #expect(try Sample.json(back.attributes) == Sample.json(said.attributes))
    #expect(back.sound == said.sound && back.isEnabled == said.isEnabled)
    let stop = try #require(back.stopIntent as? StopDose)
    #expect(stop.alarm == Sample.id.uuidString && stop.number == .max)
    #expect(back.secondaryIntent is ShowDose)
    #expect(back.ringDuration == 0 && back.snoozeLimit == 3 && back.autoSnooze == 0)
    #expect(back.priority == -5 && back.labels == said.labels)
    // And means the same alarm again.
    #expect(try sent(back) == sent(said))
  }

  @Test("is as little as was asked for")
  func plain() throws {
    let said = Sample.plain()
    let back = try AlarmManager.AlarmConfiguration<NoMetadata>(try sent(said))
    #expect(back.schedule == said.schedule && back.countdownDuration == nil)
    #expect(back.attributes.metadata == nil && back.sound == .default && back.isEnabled)
    #expect(back.stopIntent == nil && back.secondaryIntent == nil && back.labels == [])
    let kept = try #require(try sent(said).options.attributes)
    #expect(
      try Sample.json(kept) == #"{"date":1021692800,"presentation":{"alert":{"title":"Up"}}}"#
    )
    #expect(try sent(back) == sent(said))
  }

  @Test("has its date, its numbers and its thing to the last digit")
  func exact() throws {
    struct Recipe: AppEntity { var id: String }
    let date = Date(timeIntervalSinceReferenceDate: 1_021_111_111.123_456_7)
    var said = Sample.full
    said.schedule = .fixed(date)
    said.attributes.metadata?.patient = .max
    said.appEntityIdentifier = EntityIdentifier(for: Recipe(id: "rye"))
    let back = try AlarmManager.AlarmConfiguration<Dose>(try sent(said))
    #expect(back.schedule == .fixed(date))
    #expect(back.attributes.metadata?.patient == .max)
    #expect(back.appEntityIdentifier == said.appEntityIdentifier)
    #expect(try sent(back) == sent(said))
  }

  @Test("has every kind of sound")
  func sounds() throws {
    let sounds: [AlertConfiguration.AlertSound] = [
      .default, .none, .named("gong"), .default.volume(0), .none.volume(0.5),
      .named("a.wav").fadeIn(over: 1),
    ]
    for sound in sounds {
      var said = Sample.plain()
      said.sound = sound
      let alarm = try sent(said)
      #expect(try AlarmManager.AlarmConfiguration<NoMetadata>(alarm).sound == sound)
      #expect(AlertConfiguration.AlertSound(alarm.options) == sound)
    }
  }

  @Test("follows what somebody has changed since")
  func changed() throws {
    var alarm = try sent(Sample.full)
    alarm.title = "Take two"
    alarm.schedule = .wall(WallSchedule(time: .midnight))
    alarm.options.sound = "gong"
    alarm.options.tint = "#ff0000"
    alarm.isEnabled = true
    let back = try AlarmManager.AlarmConfiguration<Dose>(alarm)
    #expect(back.attributes.presentation.alert.title == "Take two")
    #expect(
      back.schedule == .relative(AlarmKit.Alarm.Schedule.Relative(time: Sample.time(0, 0)))
    )
    #expect(back.sound == .named("gong").volume(0.5).fadeIn(over: 30) && back.isEnabled)
    #expect(back.attributes.tintColor.hex == "#ff0000")
  }

  @Test("is made of what there is, where it was scheduled by other means")
  func other() throws {
    var alarm = TocsinModel.Alarm(id: AlarmID(Sample.id), title: "Tea")
    alarm.countdown.preAlert = 60
    alarm.options.buttons = [
      TocsinModel.AlarmButton(role: .secondary, text: "Show", behavior: .custom)
    ]
    alarm.options.titles = AlarmOptions.Titles(countdown: "Steeping", paused: "Held")
    let back = try AlarmManager.AlarmConfiguration<NoMetadata>(alarm)
    let presentation = back.attributes.presentation
    #expect(presentation.alert.title == "Tea")
    #expect(presentation.alert.secondaryButton?.text == "Show")
    #expect(presentation.alert.secondaryButtonBehavior == .custom)
    #expect(presentation.countdown?.title == "Steeping" && presentation.paused?.title == "Held")
    #expect(back.attributes.tintColor == .accentColor)
    #expect(back.countdownDuration?.preAlert == 60 && back.schedule == nil)
  }

  @Test("is an error where its metadata or an intent is another")
  func errors() throws {
    struct Other: AlarmMetadata { var length: Int }
    var alarm = try sent(Sample.full)
    #expect(throws: DecodingError.self) { try AlarmManager.AlarmConfiguration<Other>(alarm) }
    alarm.options.intents?.stop?.type = "4Gone6IntentV"
    #expect(throws: IntentCodingError.noType(name: "4Gone6IntentV")) {
      try AlarmManager.AlarmConfiguration<Dose>(alarm)
    }
  }
}

@Suite("An intent in the service's words")
struct IntentWireTests {
  @Test("is run only if a button may ask for it")
  func notForButtons() throws {
    struct Plain: AppIntent {
      static let title: LocalizedStringResource = "Plain"
      func perform() async throws -> some IntentResult { .result() }
    }
    let form = try IntentForm(Plain())
    #expect(throws: IntentCodingError.notForButtons(type: "Plain")) {
      try IntentCall(type: form.type).intent()
    }
  }

  @Test("comes back through a line of the protocol")
  func line() throws {
    for intent in [StopDose(alarm: "ü \"1\"", number: 5), StopDose(alarm: "", number: .max)] {
      let line = try JSONLine.encode(try IntentCall(intent))
      let back = try JSONLine.decode(IntentCall.self, from: line).intent() as? StopDose
      #expect(back?.alarm == intent.alarm && back?.number == intent.number)
    }
  }
}

import ActivityKit
import AlarmKit
import AppIntents
import ProcessTesting
import Testing
import TocsinModel

@Suite("Configurations by chance")
struct RandomConfigurationTests {
  @Test("all come back as they were, and mean the same alarm again", arguments: 0..<8)
  func roundTrips(seed: Int) throws {
    var chance = SeededGenerator(state: UInt64(seed))
    for _ in 0..<25 {
      let said = chance.configuration()
      let id = UUID()
      let alarm = try said.alarm(id: id, sounds: [])
      #expect(alarm.flaw == nil)
      let read = try JSONLine.decode(TocsinModel.Alarm.self, from: try JSONLine.encode(alarm))
      #expect(read == alarm)
      let back = try AlarmManager.AlarmConfiguration<Dose>(read)
      #expect(try back.alarm(id: id, sounds: []) == alarm)
      #expect(back.schedule == said.schedule && back.countdownDuration == said.countdownDuration)
      #expect(back.sound == said.sound && back.attributes.metadata == said.attributes.metadata)
      #expect(try Sample.json(back.attributes) == Sample.json(said.attributes))
      let stop = back.stopIntent as? StopDose
      #expect(stop?.alarm == (said.stopIntent as? StopDose)?.alarm)
      #expect(stop?.number == (said.stopIntent as? StopDose)?.number)
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func coin() -> Bool { Bool.random(using: &self) }

  fileprivate mutating func perhaps<Value>(_ value: Value) -> Value? { coin() ? value : nil }

  fileprivate mutating func text() -> LocalizedStringResource {
    let words = ["", "Tea", "100 %", "ü \"é\"\n", "%@", "\u{1F514}", "a/b\\c"]
    let word = words.randomElement(using: &self) ?? ""
    let number = UInt64.random(in: 0...(.max), using: &self)
    return coin() ? LocalizedStringResource(stringLiteral: word) : "\(word) \(number) 5%"
  }

  fileprivate mutating func length() -> Double { .random(in: 0.001...1_000_000, using: &self) }

  fileprivate mutating func button() -> AlarmKit.AlarmButton {
    switch Int.random(in: 0..<4, using: &self) {
    case 0: .snoozeButton()
    case 1: .openAppButton(label: text())
    case 2: .repeatButton(textColor: .red)
    default: AlarmButton(text: text(), textColor: .mint, systemImageName: coin() ? "" : "bell")
    }
  }

  fileprivate mutating func schedule() -> AlarmKit.Alarm.Schedule {
    let since2001 = Double.random(in: 0...3_000_000_000, using: &self)
    if coin() { return .fixed(Date(timeIntervalSinceReferenceDate: since2001)) }
    let time = Sample.time(
      Int.random(in: 0...23, using: &self),
      Int.random(in: 0...59, using: &self)
    )
    var days: [Locale.Weekday] = [.monday, .friday, .sunday, .tuesday].shuffled(using: &self)
    days.removeLast(Int.random(in: 0...3, using: &self))
    return .relative(.init(time: time, repeats: coin() ? .never : .weekly(days)))
  }

  fileprivate mutating func sound() -> AlertConfiguration.AlertSound {
    let all: [AlertConfiguration.AlertSound] = [.default, .none, .named("gong"), .named("ü.wav")]
    let sound = all.randomElement(using: &self) ?? .default
    return coin() ? sound : sound.volume(Double.random(in: 0...1, using: &self)).fadeIn(over: 5)
  }

  fileprivate mutating func configuration() -> AlarmManager.AlarmConfiguration<Dose> {
    let presentation = AlarmPresentation(
      alert: coin()
        ? AlarmPresentation.Alert(title: text(), secondaryButton: perhaps(button()))
        : AlarmPresentation.Alert(
          title: text(),
          stopButton: button(),
          secondaryButton: button(),
          secondaryButtonBehavior: coin() ? .custom : .countdown
        ),
      countdown: perhaps(.init(title: text(), pauseButton: perhaps(button()))),
      paused: perhaps(.init(title: text(), resumeButton: button()))
    )
    let isTimer = coin()
    let dose = Dose(
      medicine: "\u{1}é",
      milligrams: length(),
      patient: perhaps(.random(in: 0...(.max), using: &self))
    )
    let number = UInt64.random(in: 0...(.max), using: &self)
    var configuration = AlarmManager.AlarmConfiguration(
      countdownDuration: isTimer
        ? .init(preAlert: length(), postAlert: perhaps(length()))
        : perhaps(.init(preAlert: nil, postAlert: length())),
      schedule: isTimer ? nil : schedule(),
      attributes: AlarmAttributes(
        presentation: presentation,
        metadata: perhaps(dose),
        tintColor: Color(red: Double.random(in: 0...1, using: &self), green: 1, blue: 0)
      ),
      stopIntent: perhaps(StopDose(alarm: "\(number)", number: coin() ? number : 7)),
      secondaryIntent: perhaps(ShowDose()),
      sound: sound()
    )
    configuration.ringDuration = perhaps(length())
    configuration.labels = coin() ? ["a", "b c"] : []
    configuration.priority = perhaps(-7)
    configuration.isEnabled = coin()
    return configuration
  }
}

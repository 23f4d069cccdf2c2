import ActivityKit
import AlarmKit
import AppIntents
import Testing

@Suite("A configuration")
struct ConfigurationTests {
  private let attributes = Sample.plain().attributes

  @Test("of a timer is a countdown without a schedule")
  func timer() {
    let timer = AlarmManager.AlarmConfiguration.timer(duration: 60, attributes: attributes)
    #expect(timer.countdownDuration == Alarm.CountdownDuration(preAlert: 60, postAlert: nil))
    #expect(timer.schedule == nil && timer.sound == .default)
    #expect(timer.stopIntent == nil && timer.secondaryIntent == nil)
  }

  @Test("of an alarm is a schedule without a countdown")
  func alarm() {
    let alarm = AlarmManager.AlarmConfiguration.alarm(
      schedule: .fixed(Date(timeIntervalSince1970: 1)),
      attributes: attributes,
      stopIntent: ShowDose(),
      sound: .named("a")
    )
    #expect(alarm.schedule == .fixed(Date(timeIntervalSince1970: 1)))
    #expect(alarm.countdownDuration == nil && alarm.sound == .named("a"))
    #expect(alarm.stopIntent is ShowDose && alarm.secondaryIntent == nil)
  }

  @Test("may be about a thing of the program's")
  func entity() {
    struct Recipe: AppEntity { var id: String }
    let identifier = EntityIdentifier(for: Recipe(id: "rye"))
    let timer = AlarmManager.AlarmConfiguration.timer(
      duration: 60,
      attributes: attributes,
      appEntityIdentifier: identifier,
      stopIntent: nil
    )
    #expect(timer.appEntityIdentifier == identifier)
  }

  @Test("leaves all that Apple has no word for to what is set, until it is said")
  func extras() {
    let plain = Sample.plain()
    #expect(plain.ringDuration == nil && plain.snoozeLimit == nil && plain.autoSnooze == nil)
    #expect(plain.priority == nil && plain.labels == [] && plain.isEnabled)
    let changed = plain.with {
      $0.ringDuration = 60
      $0.labels.append("kitchen")
    }
    #expect(changed.ringDuration == 60 && changed.labels == ["kitchen"])
    #expect(plain.ringDuration == nil && plain.labels == [])
  }

  @Test("may be sent to another task, as an alarm may")
  func sendable() async {
    let configuration = Sample.full
    let title = await Task { configuration.attributes.presentation.alert.title }.value
    #expect(title == configuration.attributes.presentation.alert.title)
  }

  @Test("has a sound that equals another asked for in the same words")
  func sounds() {
    typealias Sound = AlertConfiguration.AlertSound
    #expect(Sound.default == .default && Sound.named("a") == .named("a"))
    #expect(Sound.named("a") != .named("b") && Sound.named("a") != .default)
    #expect(Sound.none != .default && Sound.named("none") != .none)
    #expect(Sound.default.volume(0.5) != .default && Sound.none == .none)
    #expect(Sound.default.volume(0.5).fadeIn(over: .seconds(2.5)).fade == 2.5)
    #expect(Sound.named("a").fadeIn(over: 3).volume(1).fade == 3)
  }
}

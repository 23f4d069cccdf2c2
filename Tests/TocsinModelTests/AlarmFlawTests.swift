import Testing
import TocsinModel
import TocsinTime

@Suite("Alarms that cannot be meant")
struct AlarmFlawTests {
  private func timer(_ change: (inout Alarm) -> Void) -> ServiceError? {
    var alarm = Alarm(
      id: AlarmID(high: 0, low: 1),
      title: "T",
      countdown: CountdownDuration(preAlert: 60)
    )
    change(&alarm)
    return alarm.flaw
  }

  @Test("A plain timer has none")
  func plain() {
    #expect(timer { _ in } == nil)
  }

  @Test("Values out of range are refused")
  func ranges() {
    let changes: [(inout Alarm) -> Void] = [
      { $0.countdown.preAlert = nil }, { $0.countdown.preAlert = -1 },
      { $0.countdown.postAlert = 0 }, { $0.countdown.preAlert = .nan },
      { $0.options.volume = 1.5 }, { $0.options.volume = .nan }, { $0.options.fade = -1 },
      { $0.options.priority = 101 }, { $0.options.snoozeLimit = -1 },
      { $0.options.autoSnooze = 1_001 }, { $0.options.ringFor = .infinity },
      {
        $0.schedule = .wall(
          WallSchedule(time: TimeOfDay(secondOfDay: 0), days: .weekly([]))
        )
      },
    ]
    for change in changes { #expect(timer(change)?.code == .invalid) }
  }

  @Test("Texts that would not fit a line are refused, long ones are kept whole")
  func sizes() {
    #expect(timer { $0.title = String(repeating: "x", count: 10_240) } == nil)
    #expect(timer { $0.title = String(repeating: "x", count: 1 << 20) }?.code == .tooLarge)
    // Six bytes each in a line: as an event it would be longer than a line may be.
    #expect(timer { $0.title = String(repeating: "\u{1}", count: 10_880) }?.code == .tooLarge)
    #expect(timer { $0.title = String(repeating: "\"", count: 8_192) } == nil)
    #expect(timer { $0.title = String(repeating: "\"", count: 8_193) }?.code == .tooLarge)
    #expect(
      timer { $0.options.metadata = .string(String(repeating: "x", count: 40_000)) }?.code
        == .tooLarge
    )
  }

  @Test("What a program adds counts with the rest of the options")
  func programSizes() {
    let long = String(repeating: "x", count: 20_000)
    let call = IntentCall(type: "Taken", parameters: .string(long))
    #expect(timer { $0.options.intents = AlarmIntents(stop: call) } == nil)
    #expect(timer { $0.options.intents = AlarmIntents(stop: call, secondary: call) } != nil)
    #expect(timer { $0.options.attributes = .string(long + long) }?.code == .tooLarge)
    #expect(
      timer {
        $0.options.titles = AlarmOptions.Titles(countdown: long)
        $0.options.attributes = .string(long)
      }?.code == .tooLarge
    )
  }

  @Test("A program's name is short and can be printed")
  func programNames() {
    let names = ["", String(repeating: "x", count: 256), "two\nlines", "\u{1b}[2J"]
    for name in names {
      #expect(timer { $0.options.application = name }?.code == .invalid, "\(name)")
    }
    let good = ["kitchen", "Küche 2", String(repeating: "x", count: 255)]
    for name in good { #expect(timer { $0.options.application = name } == nil, "\(name)") }
  }
}

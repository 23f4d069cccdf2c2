import ActivityKit
import AlarmKit
import AppIntents
import Testing
import TocsinModel

@Suite("A configuration that cannot be meant")
struct FlawTests {
  private typealias Configuration = AlarmManager.AlarmConfiguration<NoMetadata>

  private func refusal(
    _ change: (inout AlarmManager.AlarmConfiguration<NoMetadata>) -> Void
  ) -> AlarmConfigurationError? {
    var configuration = Sample.plain()
    change(&configuration)
    do {
      _ = try configuration.alarm(id: Sample.id, sounds: [])
      return nil
    } catch {
      return error as? AlarmConfigurationError
    }
  }

  private func countdown(_ preAlert: Double?, _ postAlert: Double?) -> AlarmConfigurationError? {
    refusal { $0.countdownDuration = .init(preAlert: preAlert, postAlert: postAlert) }
  }

  @Test("has no time at all")
  func noTime() {
    #expect(refusal { $0.schedule = nil } == .noTime)
    #expect(
      refusal {
        $0.schedule = nil
        $0.countdownDuration = .init(preAlert: nil, postAlert: 5)
      } == .noTime
    )
    #expect(
      refusal {
        $0.schedule = nil
        $0.countdownDuration = .init(preAlert: 5, postAlert: nil)
      } == nil
    )
  }

  @Test("has a time that is none")
  func schedules() {
    let time = Sample.time(24, 0)
    #expect(refusal { $0.schedule = .relative(.init(time: time)) } == .hour(24))
    #expect(refusal { $0.schedule = .relative(.init(time: Sample.time(0, 60))) } == .minute(60))
    #expect(
      refusal { $0.schedule = .relative(.init(time: Sample.time(0, 0), repeats: .weekly([]))) }
        == .noWeekdays
    )
    let date = Date(timeIntervalSince1970: .infinity)
    #expect(refusal { $0.schedule = .fixed(date) } == .date(secondsSince1970: .infinity))
  }

  @Test("has a length that is none", arguments: [0, -1, .infinity, 34_560_001.0])
  func lengths(seconds: Double) {
    #expect(countdown(seconds, nil) == .preAlert(seconds))
    #expect(countdown(nil, seconds) == .postAlert(seconds))
    if seconds != 0 {
      #expect(refusal { $0.ringDuration = seconds } == .ringDuration(seconds))
    }
  }

  @Test("has a number that is none")
  func notNumbers() {
    let refusals = [
      countdown(.nan, nil), countdown(5, .nan), refusal { $0.ringDuration = .nan },
      refusal { $0.sound = .default.volume(.nan) },
      refusal { $0.sound = .default.fadeIn(over: .nan) },
    ]
    #expect(!refusals.contains(nil))
    #expect(Set(refusals.map { "\($0.map { "\($0)" } ?? "")" }).count == refusals.count)
  }

  @Test("has a number out of range")
  func ranges() {
    #expect(refusal { $0.snoozeLimit = -1 } == .snoozeLimit(-1))
    #expect(refusal { $0.snoozeLimit = 1_001 } == .snoozeLimit(1_001))
    #expect(refusal { $0.autoSnooze = -1 } == .autoSnooze(-1))
    #expect(refusal { $0.priority = 101 } == .priority(101))
    #expect(refusal { $0.priority = -101 } == .priority(-101))
    #expect(refusal { $0.sound = .default.volume(1.01) } == .volume(1.01))
    #expect(refusal { $0.sound = .named("a").volume(-0.1) } == .volume(-0.1))
    #expect(refusal { $0.sound = .default.fadeIn(over: 3_601) } == .fade(3_601))
  }

  @Test("is not one at the ends of the ranges, and the service takes it too")
  func ends() throws {
    let configuration = Sample.plain().with {
      $0.countdownDuration = .init(preAlert: 400 * 86_400, postAlert: 0.001)
      $0.snoozeLimit = 1_000
      $0.autoSnooze = 0
      $0.priority = -100
      $0.ringDuration = 400 * 86_400
      $0.sound = .named("a").volume(1).fadeIn(over: 3_600)
    }
    #expect(try configuration.alarm(id: Sample.id, sounds: []).flaw == nil)
  }

  @Test(
    "has a sound whose name is none",
    arguments: ["", ".", "..", "a/b", "/usr/a.wav", "../a", "none", "a\u{0}", "a\nb"]
  )
  func sounds(name: String) {
    #expect(refusal { $0.sound = .named(name) } == .soundName(name))
  }

  @Test("has metadata that JSON has not, or an intent without a value")
  func contents() {
    var configuration = Sample.full
    configuration.attributes.metadata?.milligrams = .infinity
    do {
      _ = try configuration.alarm(id: Sample.id, sounds: [])
      Issue.record("infinity was taken")
    } catch {
      guard case .metadata = error as? AlarmConfigurationError else {
        Issue.record("\(error)")
        return
      }
    }
    configuration = Sample.full
    configuration.secondaryIntent = StopDose()
    #expect(throws: IntentCodingError.noValue(type: "StopDose", parameter: "alarm")) {
      try configuration.alarm(id: Sample.id, sounds: [])
    }
  }

  @Test("is not one for what it shows: no timer needs a countdown's title, nor the other way round")
  func presentations() throws {
    let shown = Sample.plain().with {
      $0.attributes.presentation.countdown = AlarmPresentation.Countdown(title: "Soon")
    }
    #expect(try shown.alarm(id: Sample.id, sounds: []).flaw == nil)
    let timer = Configuration.timer(duration: 5, attributes: Sample.plain().attributes)
    #expect(try timer.alarm(id: Sample.id, sounds: []).flaw == nil)
  }

  @Test("is refused in a sentence that says what would be right")
  func sentences() {
    let error = AlarmConfigurationError.hour(25)
    #expect("\(error)" == "there is no hour 25: hours are 0 to 23")
    #expect(error.localizedDescription == "there is no hour 25")
    #expect(error.recoverySuggestion == "hours are 0 to 23")
  }
}

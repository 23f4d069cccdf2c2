import AlarmKit
import AlarmKitTesting
import AppIntents
import Synchronization

/// What the tests' alarms are about.
struct Recipe: AlarmMetadata {
  var dish: String
}

/// 1 January 2027, 08:00 in London and in UTC: a Friday.
let newYear = Date(timeIntervalSince1970: 1_798_790_400)

/// All days of the week.
let everyDay: [Locale.Weekday] = [
  .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
]

typealias RecipeConfiguration = AlarmManager.AlarmConfiguration<Recipe>

/// What is shown of the tests' alarms.
func attributes(
  _ title: String = "Tea",
  secondary: AlarmPresentation.Alert.SecondaryButtonBehavior? = .countdown
) -> AlarmAttributes<Recipe> {
  let button = AlarmButton(text: "Later", textColor: .white, systemImageName: "zzz")
  let alert = AlarmPresentation.Alert(
    title: LocalizedStringResource(stringLiteral: title),
    secondaryButton: secondary == nil ? nil : button,
    secondaryButtonBehavior: secondary
  )
  let pause = AlarmButton(text: "Wait", textColor: .white, systemImageName: "pause")
  let resume = AlarmButton(text: "Go on", textColor: .white, systemImageName: "play")
  let presentation = AlarmPresentation(
    alert: alert,
    countdown: .init(title: "Brewing", pauseButton: pause),
    paused: .init(title: "Not brewing", resumeButton: resume)
  )
  return AlarmAttributes(
    presentation: presentation,
    metadata: Recipe(dish: title),
    tintColor: .green
  )
}

/// A timer of so many seconds.
func timer(_ seconds: TimeInterval, snooze: TimeInterval? = 60) -> RecipeConfiguration {
  RecipeConfiguration(
    countdownDuration: .init(preAlert: seconds, postAlert: snooze),
    attributes: attributes()
  )
}

/// An alarm at an instant.
func alarm(at date: Date) -> RecipeConfiguration {
  RecipeConfiguration.alarm(schedule: .fixed(date), attributes: attributes("Bus"))
}

/// An alarm at a time of the day.
func alarm(
  at hour: Int,
  _ minute: Int,
  on days: [Locale.Weekday] = everyDay
) -> RecipeConfiguration {
  let time = Alarm.Schedule.Relative.Time(hour: hour, minute: minute)
  return RecipeConfiguration.alarm(
    schedule: .relative(.init(time: time, repeats: .weekly(days))),
    attributes: attributes("Wake up")
  )
}

extension AlarmManager.AlarmConfiguration {
  /// The same with other parts.
  func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension AlarmManager {
  /// The alarm as `alarms` has it; nil if it is not there.
  func alarm(_ id: UUID) throws -> Alarm? {
    #if ALARMKIT_STRICT
      return try alarms.first { $0.id == id }
    #else
      return alarms.first { $0.id == id }
    #endif
  }
}

/// Why a call failed; nil if it did not, or with another kind of error.
func reason<Value>(_ body: () throws -> Value) -> AlarmManager.Failure.Reason? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AlarmManager.Failure)?.reason
  }
}

/// Why a call failed; nil if it did not, or with another kind of error.
func refusal<Value: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Value
) async -> AlarmManager.Failure.Reason? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? AlarmManager.Failure)?.reason
  }
}

/// What the intents of the tests have done, by the alarm they belong to.
enum Deeds {
  private static let deeds = Mutex<[String: [String]]>([:])

  static func note(_ deed: String, _ alarm: String) {
    deeds.withLock { $0[alarm, default: []].append(deed) }
  }

  static func of(_ id: UUID) -> [String] {
    deeds.withLock { $0[id.uuidString] ?? [] }
  }
}

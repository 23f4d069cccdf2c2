import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Setting alarms", .timeLimit(.minutes(10)))
struct ScheduleTests {
  private let id = UUID()

  @Test("A timer counts at once, and rings when its time is over")
  func timerCounts() async throws {
    let alarms = try TestAlarms(now: newYear)
    let set = try await alarms.manager.schedule(id: id, configuration: timer(240))
    #expect(set.id == id)
    #expect(set.state == .countdown)
    #expect(set.schedule == nil)
    #expect(set.countdownDuration == .init(preAlert: 240, postAlert: 60))
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 240)
    await alarms.advance(by: .seconds(239))
    #expect(try alarms.manager.alarm(id)?.state == .countdown)
    await alarms.advance(by: .seconds(1))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("`.timer` is a countdown without a schedule")
  func timerForm() async throws {
    let alarms = try TestAlarms(now: newYear)
    let set = try await alarms.manager.schedule(
      id: id,
      configuration: .timer(duration: 30, attributes: attributes())
    )
    #expect(set.countdownDuration == .init(preAlert: 30, postAlert: nil))
    await alarms.advance(by: .seconds(30))
    // Without a length of its own a snooze is as long as the timer.
    try alarms.manager.countdown(id: id)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 60)
  }

  @Test("An alarm waits for its time, and rings then")
  func alarmWaits() async throws {
    let alarms = try TestAlarms(now: newYear)
    let date = newYear + 3_600
    let set = try await alarms.manager.schedule(id: id, configuration: alarm(at: date))
    #expect(set.state == .scheduled)
    #expect(set.schedule == .fixed(date))
    await alarms.advance(to: date - 1)
    #expect(try alarms.manager.alarm(id)?.state == .scheduled)
    #expect(alarms.presentations.isEmpty)
    await alarms.advance(to: date)
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
    #expect(alarms.presentations.map(\.date) == [date])
  }

  @Test("With both, it counts before its time and rings at it, never later")
  func countsBeforeItsTime() async throws {
    let alarms = try TestAlarms(now: newYear)
    let date = newYear + 3_600
    let configuration = alarm(at: date).with {
      $0.countdownDuration = .init(preAlert: 600, postAlert: nil)
    }
    let set = try await alarms.manager.schedule(id: id, configuration: configuration)
    #expect(set.state == .scheduled)
    await alarms.advance(to: date - 600)
    #expect(try alarms.manager.alarm(id)?.state == .countdown)
    await alarms.advance(to: date)
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
    #expect(alarms.presentations.map(\.mode) == [.countdown, .alerting])
    #expect(alarms.presentations.last?.date == date)
  }

  @Test("A time of the day without days is the next such time, tomorrow if it is over")
  func relative() async throws {
    let alarms = try TestAlarms(now: newYear)
    for (hour, hours) in [(9, 1), (7, 23)] {
      let id = UUID()
      let schedule = Alarm.Schedule.relative(.init(time: .init(hour: hour, minute: 0)))
      let set = try await alarms.manager.schedule(
        id: id,
        configuration: .alarm(schedule: schedule, attributes: attributes())
      )
      #expect(set.schedule == schedule)
      let next = try alarms.manager.details(for: id).nextFireDate
      #expect(next == newYear + Double(hours) * 3_600)
    }
  }

  @Test("A weekly alarm rings on its days")
  func weekly() async throws {
    let alarms = try TestAlarms(now: newYear)
    let set = try await alarms.manager.schedule(
      id: id,
      configuration: alarm(at: 7, 30, on: [.monday, .tuesday])
    )
    #expect(
      set.schedule
        == .relative(
          .init(time: .init(hour: 7, minute: 30), repeats: .weekly([.monday, .tuesday]))
        )
    )
    for _ in 0..<2 {
      let next = try #require(try alarms.manager.details(for: id).nextFireDate)
      await alarms.advance(to: next)
      try alarms.manager.stop(id: id)
      #expect(try alarms.manager.alarm(id)?.state == .scheduled)
    }
    let rings = alarms.presentations.filter { $0.mode == .alerting }.map(\.date)
    let monday = newYear + 3 * 86_400 - 1_800
    #expect(rings == [monday, monday + 86_400])
  }

  @Test("A second alarm with the same identity is refused in so many words, the first stays")
  func duplicate() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(240))
    let failure = await refusal {
      try await alarms.manager.schedule(id: id, configuration: timer(60))
    }
    #expect(failure == .duplicateID)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 240)
  }

  @Test("A date that is over is refused in so many words; now is not over")
  func past() async throws {
    let alarms = try TestAlarms(now: newYear)
    let failure = await refusal {
      try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear - 1))
    }
    #expect(failure == .past)
    #expect(try alarms.manager.alarm(id) == nil)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear))
    await alarms.advance(by: .zero)
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("What cannot be meant is refused with what is wrong about it")
  func invalid() async throws {
    let alarms = try TestAlarms(now: newYear)
    let flawed: [RecipeConfiguration] = [
      RecipeConfiguration(attributes: attributes()),
      timer(0),
      timer(-5),
      timer(10, snooze: 0),
      alarm(at: 25, 0),
      alarm(at: 7, 60),
      alarm(at: 7, 0, on: []),
    ]
    for configuration in flawed {
      let failure = await refusal {
        try await alarms.manager.schedule(id: id, configuration: configuration)
      }
      guard case .invalid(let what) = failure else {
        Issue.record("\(configuration) is not invalid: \(String(describing: failure))")
        continue
      }
      #expect(!what.isEmpty)
    }
    #expect(try alarms.manager.alarm(id) == nil)
  }

  @Test("The limit is Apple's error and known before, and what is cancelled is free at once")
  func limit() async throws {
    let alarms = try TestAlarms(now: newYear, alarmLimit: 2)
    #expect(try alarms.manager.remainingCapacity == 2)
    let (first, second, third) = (UUID(), UUID(), UUID())
    try await alarms.manager.schedule(id: first, configuration: timer(60))
    try await alarms.manager.schedule(id: second, configuration: timer(60))
    #expect(try alarms.manager.remainingCapacity == 0)
    await #expect(throws: AlarmManager.AlarmError.maximumLimitReached) {
      try await alarms.manager.schedule(id: third, configuration: timer(60))
    }
    try alarms.manager.cancel(id: first)
    #expect(try alarms.manager.remainingCapacity == 1)
    try await alarms.manager.schedule(id: third, configuration: timer(60))
    #expect(try alarms.manager.alarm(third) != nil)
  }

  @Test("Parts put together make the same alarm, also on the main actor")
  @MainActor
  func builder() async throws {
    let alarms = try TestAlarms(now: newYear)
    let isSnoozable = true
    let set = try await alarms.manager.schedule(id: id) {
      CountdownDuration(preAlert: 600, postAlert: 30)
      AlarmPresentation.Alert(
        title: "Eggs are ready",
        stopButton: AlarmButton(label: "Done"),
        secondaryButton: isSnoozable ? .repeatButton() : nil
      )
      AlarmAttributes(tintColor: .purple)
    }
    #expect(set.state == .countdown)
    #expect(set.countdownDuration == .init(preAlert: 600, postAlert: 30))
    await alarms.advance(by: .seconds(600))
    #expect(alarms.presentations.last?.title == "Eggs are ready")
    #expect(alarms.presentations.last?.buttons.map(\.button) == [.stop, .secondary])
    #expect(alarms.presentations.last?.buttons.first?.text == "Done")
  }

  @Test("A refused second alarm leaves the intents of the first")
  func intentsOfTheFirst() async throws {
    let alarms = try TestAlarms(now: newYear)
    let other = UUID()
    try await alarms.manager.schedule(
      id: id,
      configuration: timer(60).with { $0.stopIntent = DoIntent("first", id) }
    )
    _ = await refusal {
      try await alarms.manager.schedule(
        id: id,
        configuration: timer(60).with { $0.stopIntent = DoIntent("second", other) }
      )
    }
    await alarms.advance(by: .seconds(60))
    try await alarms.press(.stop, on: id)
    #expect(Deeds.of(id) == ["first"])
    #expect(Deeds.of(other) == [])
  }
}

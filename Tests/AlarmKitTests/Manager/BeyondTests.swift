import AlarmKit
import AlarmKitTesting
import Testing

@Suite("What Apple's manager does not do", .timeLimit(.minutes(10)))
struct BeyondTests {
  private let id = UUID()

  @Test("Details hold title, sound, metadata and everything else that was given")
  func details() async throws {
    let alarms = try TestAlarms(now: newYear)
    let given = timer(240, snooze: 30).with {
      $0.snoozeLimit = 2
      $0.ringDuration = 90
      $0.sound = .default.volume(0.5)
      $0.stopIntent = StopIntent(id)
    }
    try await alarms.manager.schedule(id: id, configuration: given)
    let details = try alarms.manager.details(for: id)
    #expect(details.id == id)
    #expect(details.title == "Tea")
    #expect(details.isEnabled)
    #expect(details.snoozeLimit == 2)
    #expect(details.ringDuration == 90)
    #expect(details.sound == .default.volume(0.5))
    #expect(details.dueDate == newYear + 240)
    #expect(details.skippedDate == nil)
    let back = try details.configuration(metadata: Recipe.self)
    #expect(back.attributes.metadata == Recipe(dish: "Tea"))
    #expect(back.countdownDuration == given.countdownDuration)
    #expect(back.attributes.tintColor == .green)
    #expect((back.stopIntent as? StopIntent)?.alarmID == id.uuidString)
    #expect(reason { try alarms.manager.details(for: UUID()) } == .unknownAlarm)
  }

  @Test("Receipts tell who presents what rings")
  func receipts() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    #expect(try alarms.manager.details(for: id).receipts.isEmpty)
    await alarms.advance(by: .seconds(60))
    let receipts = try alarms.manager.details(for: id).receipts
    #expect(receipts.map(\.result) == [.presented])
    #expect(receipts.map(\.isAudible) == [true])
  }

  @Test("An alarm can be changed without being cancelled")
  func update() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear + 600))
    let details = try alarms.manager.details(for: id)
    let other = try details.configuration(metadata: Recipe.self).with {
      $0.schedule = .fixed(newYear + 1_200)
      $0.attributes = attributes("Train")
    }
    let updated = try await alarms.manager.update(id: id, configuration: other)
    #expect(updated.schedule == .fixed(newYear + 1_200))
    await alarms.advance(by: .seconds(600))
    #expect(alarms.presentations.isEmpty)
    await alarms.advance(by: .seconds(600))
    #expect(alarms.presentations.map(\.title) == ["Train"])
    let failure = await refusal {
      try await alarms.manager.update(id: UUID(), configuration: other)
    }
    #expect(failure == .unknownAlarm)
  }

  @Test("What rings goes on ringing while it is changed")
  func updateWhileRinging() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    let other = timer(60).with { $0.attributes = attributes("Tea is ready") }
    let updated = try await alarms.manager.update(id: id, configuration: other)
    #expect(updated.state == .alerting)
    await alarms.settle()
    #expect(alarms.presented.map(\.title) == ["Tea is ready"])
  }

  @Test("The next time of a series can be left out, and put back")
  func skip() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: 9, 0))
    try alarms.manager.skipNext(id: id)
    var details = try alarms.manager.details(for: id)
    #expect(details.skippedDate == DateComponents(year: 2027, month: 1, day: 1))
    #expect(details.nextFireDate == newYear + 3_600 + 86_400)
    #expect(reason { try alarms.manager.skipNext(id: id) } == .wrongState(.scheduled))
    try alarms.manager.undoSkip(id: id)
    details = try alarms.manager.details(for: id)
    #expect(details.skippedDate == nil)
    #expect(details.nextFireDate == newYear + 3_600)
    #expect(reason { try alarms.manager.undoSkip(id: id) } == .wrongState(.scheduled))
    try alarms.manager.skipNext(id: id)
    await alarms.advance(by: .seconds(86_400))
    #expect(alarms.presentations.isEmpty)
    await alarms.advance(by: .seconds(3_600))
    #expect(alarms.presentations.map(\.date) == [newYear + 3_600 + 86_400])
  }

  @Test("An alarm that rings once has no time to leave out")
  func skipOneShot() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear + 60))
    #expect(reason { try alarms.manager.skipNext(id: id) } == .wrongState(.scheduled))
  }

  @Test("A disabled alarm is kept and silent until it is enabled")
  func disable() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: 9, 0))
    #expect(try alarms.manager.disable(id: id).state == .scheduled)
    #expect(try alarms.manager.details(for: id).isEnabled == false)
    #expect(try alarms.manager.details(for: id).nextFireDate == nil)
    await alarms.advance(by: .seconds(86_400))
    #expect(alarms.presentations.isEmpty)
    try alarms.manager.enable(id: id)
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 86_400 + 3_600)
    #expect(reason { try alarms.manager.enable(id: id) } == .wrongState(.scheduled))
  }

  @Test("What rings falls silent when it is disabled")
  func disableWhileRinging() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    try alarms.manager.disable(id: id)
    await alarms.settle()
    #expect(alarms.presented.isEmpty)
    #expect(alarms.presentations.last?.reason == "disabled")
    #expect(try alarms.manager.alarm(id) != nil)
  }

  @Test("A ring that nobody answers ends after the alarm's own time, and tells so")
  func ringDuration() async throws {
    let alarms = try TestAlarms(now: newYear)
    let configuration = alarm(at: newYear + 60).with {
      $0.ringDuration = 30
      $0.autoSnooze = 0
    }
    try await alarms.manager.schedule(id: id, configuration: configuration)
    await alarms.advance(by: .seconds(90))
    #expect(try alarms.manager.alarm(id) == nil)
    let entries = try await alarms.manager.history(for: id)
    #expect(entries.first?.event == .missed)
  }
}

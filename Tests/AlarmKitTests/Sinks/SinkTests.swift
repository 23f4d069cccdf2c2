import ActivityKit
import AlarmKit
import AlarmKitTesting
import AppIntents
import Testing

/// Sinks as Swift values, attached to a manager.
@Suite("A program's own sink", .timeLimit(.minutes(10)))
struct SinkTests {
  private struct Brewing: AlarmMetadata {
    var tea: String
  }

  private struct Other: AlarmMetadata {
    var size: Int
  }

  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  private func timer(_ seconds: TimeInterval) -> AlarmManager.AlarmConfiguration<Brewing> {
    let button = AlarmButton(text: "Again", textColor: .red, systemImageName: "repeat")
    return AlarmManager.AlarmConfiguration(
      countdownDuration: Alarm.CountdownDuration(preAlert: seconds, postAlert: 120),
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(
          alert: AlarmPresentation.Alert(
            title: "Tea is ready",
            secondaryButton: button,
            secondaryButtonBehavior: .countdown
          ),
          countdown: AlarmPresentation.Countdown(
            title: "Brewing",
            pauseButton: AlarmButton(text: "Wait", textColor: .white, systemImageName: "pause")
          ),
          paused: AlarmPresentation.Paused(
            title: "Halted",
            resumeButton: AlarmButton(text: "Go", textColor: .white, systemImageName: "play")
          )
        ),
        metadata: Brewing(tea: "Assam"),
        tintColor: .green
      )
    )
  }

  @Test("draws what a widget would, in each state, from what the alarm was scheduled with")
  func states() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = NotedSink()
    var told = sink.told.makeAsyncIterator()
    try alarms.manager.attach(sink)
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    let counting = try await told.presentation()
    #expect(counting.id == id && counting.title == "Brewing" && counting.tintColor == .green)
    #expect(counting.buttons.map(\.role).contains(.pause))
    guard case .countdown(let countdown) = counting.state.mode else {
      Issue.record("it does not count: \(counting.state)")
      return
    }
    #expect(countdown.totalCountdownDuration == 60 && countdown.startDate == start)
    #expect(countdown.fireDate == start.addingTimeInterval(60))
    let context = try #require(counting.context(for: Brewing.self))
    #expect(context.attributes.metadata == Brewing(tea: "Assam"))
    #expect(context.state == counting.state && context.attributes.tintColor == .green)
    // Metadata of another shape is no reason to present nothing.
    #expect(counting.context(for: Other.self) == nil)

    counting.press(.pause)
    let paused = try await told.presentation()
    #expect(paused.title == "Halted" && paused.buttons.map(\.role).contains(.resume))
    guard case .paused = paused.state.mode else {
      Issue.record("it is not halted: \(paused.state)")
      return
    }
    paused.press(.resume)
    _ = try await told.presentation()

    await alarms.advance(by: .seconds(60))
    let alert = try await told.presentation()
    #expect(alert.title == "Tea is ready" && alert.lateness == 0 && alert.snoozes == 0)
    #expect(alert.buttons.map(\.role) == [.stop, .secondary])
    #expect(alert.buttons.last.map { String(localized: $0.button.text) } == "Again")
    #expect(alert.buttons.last?.button.textColor == .red)
    guard case .alert = alert.state.mode else {
      Issue.record("it does not ring: \(alert.state)")
      return
    }
    alert.press(.secondary)
    let snooze = try await told.presentation()
    #expect(snooze.snoozes == 1)
    snooze.press(.stop)
    let end = try await told.withdrawal()
    #expect(end.id == id && end.reason == .stopped)
  }

  @Test("its word, and why it could not, stand with the alarm and in the record")
  func receipts() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = NotedSink("bell", isAudible: true)
    var told = sink.told.makeAsyncIterator()
    try alarms.manager.attach(sink)
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    _ = try await told.presentation()
    sink.fail("the rope is torn")
    await alarms.advance(by: .seconds(60))
    let alert = try await told.presentation()
    // The press comes behind the receipt, so what follows it follows that too.
    alert.press(.stop)
    _ = try await told.withdrawal()
    let record = try await alarms.manager.history(for: id)
    let failed = try #require(record.first { $0.event == .failed && $0.source == "bell" })
    #expect(failed.detail?.contains("the rope is torn") == true)
    #expect(record.contains { $0.event == .stopped && $0.source == "bell" })
  }

  @Test("what it shows is withdrawn when it is detached, and nothing is told any more")
  func detached() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = NotedSink()
    var told = sink.told.makeAsyncIterator()
    let attachment = try alarms.manager.attach(sink)
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    _ = try await told.presentation()
    attachment.detach()
    attachment.detach()
    let end = try await told.withdrawal()
    #expect(end.id == id && end.reason == .elsewhere)
    // The alarm does not depend on it.
    await alarms.advance(by: .seconds(60))
    #expect(alarms.manager.alarms.map(\.state) == [.alerting])
  }

  @Test("after a restart of the service it is told of what changed only")
  func restarts() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = NotedSink()
    var told = sink.told.makeAsyncIterator()
    try alarms.manager.attach(sink)
    let first = UUID()
    try await alarms.manager.schedule(id: first, configuration: timer(600))
    _ = try await told.presentation()
    try await alarms.restartService()
    let second = UUID()
    try await alarms.manager.schedule(id: second, configuration: timer(60))
    // Not the first again: it is as it was.
    #expect(try await told.presentation().id == second)
  }

  @Test("hears that a timer, and an alarm, reached nobody")
  func missed() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = NotedSink()
    var told = sink.told.makeAsyncIterator()
    try alarms.manager.attach(sink)
    let brief = timer(60).with {
      $0.ringDuration = 30
      $0.autoSnooze = 0
    }
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: brief)
    _ = try await told.presentation()
    await alarms.advance(by: .seconds(60))
    _ = try await told.presentation()
    await alarms.advance(by: .seconds(30))
    let end = try await told.withdrawal()
    #expect(end.id == id && end.reason == .unanswered)

    let due = start.addingTimeInterval(600)
    let clock = UUID()
    try await alarms.manager.schedule(
      id: clock,
      configuration: brief.with {
        $0.countdownDuration = nil
        $0.schedule = .fixed(due)
      }
    )
    await alarms.advance(to: due)
    #expect(try await told.presentation().id == clock)
    await alarms.advance(by: .seconds(30))
    guard case .missed(let missed)? = await told.next() else {
      Issue.record("it is not told as missed")
      return
    }
    #expect(missed.id == clock && missed.due == due && missed.reason == .unanswered)
    #expect(missed.title == "Tea is ready")
    let over = try await told.withdrawal()
    #expect(over.id == clock && over.reason == .unanswered)
  }

  @Test("is told one thing at a time, in order, however slow it is")
  func order() async throws {
    let alarms = try TestAlarms(now: start)
    let sink = SlowSink()
    try alarms.manager.attach(sink)
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(600))
    for _ in 0..<20 {
      try alarms.manager.pause(id: id)
      try alarms.manager.resume(id: id)
    }
    // Nobody waits for it: all of this is done while it has not returned from its first call.
    try alarms.manager.cancel(id: id)
    sink.goOn()
    var words: [String] = []
    for await word in sink.words { words.append(word) }
    let turns = (0..<20).flatMap { _ in ["paused", "countdown"] }
    #expect(words == ["countdown"] + turns + ["clear"])
    #expect(sink.mostAtOnce == 1)
  }
}

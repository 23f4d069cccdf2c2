import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private let tea = id(1)
private let other = id(2)

private func occurrence(_ alarm: AlarmID) -> OccurrenceID {
  OccurrenceID(alarm: alarm, origin: Instant(seconds: 5), serial: 0)
}

private func shown(
  _ alarm: AlarmID,
  _ state: AlarmState,
  snooze: Bool = false,
  fire: Instant? = nil
) -> SinkMessage {
  let countdown =
    state == .alerting
    ? nil
    : Presentation.Countdown(
      start: nil,
      fire: state == .paused ? nil : fire ?? instant("2026-12-01T06:00:00Z"),
      total: 60,
      elapsed: 0,
      snooze: snooze
    )
  return .present(
    Presentation(
      seq: 1,
      occurrence: occurrence(alarm),
      title: alarm == tea ? "Tea" : "Other",
      kind: .timer,
      state: state,
      due: instant("2026-12-01T06:00:00Z"),
      countdown: countdown
    )
  )
}

private func cleared(_ alarm: AlarmID, _ reason: ClearReason) -> SinkMessage {
  .cleared(
    SinkMessage.Cleared(
      seq: 2,
      occurrence: occurrence(alarm),
      title: "Tea",
      reason: reason,
      source: nil
    )
  )
}

private func intent(_ action: AlarmAction, _ alarm: AlarmID) -> Intent {
  Intent(action, .occurrence(occurrence(alarm)))
}

@Suite("Following alarms")
struct FollowStateTests {
  @Test(
    "each end has its exit code, and what goes on is no end",
    arguments: [
      (.stopped, 0), (.cancelled, 3), (.disabled, 3), (.unanswered, 4), (.missed, 4),
      (.refused, 74), (.merged, nil), (.clock, nil),
    ] as [(ClearReason, Int32?)]
  )
  func ends(reason: ClearReason, exit: Int32?) {
    var state = FollowState([tea], hosts: false)
    let step1 = state.handle(shown(tea, .alerting))
    #expect(!step1)
    let step2 = state.handle(cleared(other, .stopped))
    #expect(!step2)
    let step3 = state.handle(cleared(tea, reason))
    #expect(step3 == (exit != nil))
    if let exit { #expect(state.exit.rawValue == exit) }
  }

  @Test("of several the worst counts, and all are waited for")
  func several() {
    var state = FollowState([tea, other], hosts: false)
    let missed = SinkMessage.Missed(
      seq: 1,
      occurrence: occurrence(tea),
      title: "Tea",
      due: Instant(seconds: 0),
      reason: .late
    )
    let step4 = state.handle(.missed(missed))
    #expect(!step4)
    let step5 = state.handle(cleared(tea, .stopped))
    #expect(!step5)
    let step6 = state.handle(cleared(other, .stopped))
    #expect(step6)
    #expect(state.exit == .missed)
  }

  @Test("keys act on what rings first, and never stop what still counts")
  func keys() {
    var state = FollowState([tea], hosts: true)
    #expect(state.answer(to: .stop) == .hint("it does not ring yet; q leaves"))
    _ = state.handle(shown(tea, .countdown))
    #expect(state.answer(to: .stop) == .hint("it still counts; q leaves"))
    #expect(state.answer(to: .snooze) == .hint("nothing rings yet"))
    #expect(state.answer(to: .pause) == .intents([intent(.pause, tea)]))
    #expect(state.answer(to: .quit) == .quit([]))
    _ = state.handle(shown(tea, .paused))
    #expect(state.answer(to: .pause) == .intents([intent(.resume, tea)]))
    _ = state.handle(shown(other, .alerting))
    #expect(state.answer(to: .stop) == .intents([intent(.stop, other)]))
    _ = state.handle(.sync([]))
    #expect(state.answer(to: .pause) == .hint("nothing counts down now"))
    _ = state.handle(shown(tea, .alerting))
    #expect(state.answer(to: .stop) == .intents([intent(.stop, tea)]))
    #expect(state.answer(to: .snooze) == .intents([intent(.snooze, tea)]))
    #expect(state.answer(to: .quit) == .quit([intent(.stop, tea)]))
    _ = state.handle(shown(tea, .countdown, snooze: true))
    #expect(state.answer(to: .stop) == .intents([intent(.stop, tea)]))
  }

  @Test("leaving a daemon's alarm stops nothing")
  func leavingDaemon() {
    var state = FollowState([tea], hosts: false)
    _ = state.handle(shown(tea, .alerting))
    #expect(state.answer(to: .quit) == .quit([]))
  }

  @Test("the last line says what is kept")
  func farewell() throws {
    let zone = try TimeReading(environment: [:]).zone(named: "Europe/Berlin")
    let now = instant("2026-12-01T05:50:00Z")
    func lines(_ state: FollowState) -> [String] {
      state.farewell(titles: [tea: "Tea"], zone: zone, now: now)
    }
    var here = FollowState([tea], hosts: true)
    #expect(
      lines(here) == ["Tea is kept in the store, but nothing rings until tocsind or tocsin runs"]
    )
    _ = here.handle(shown(tea, .countdown))
    #expect(
      lines(here) == [
        "Tea, due 07:00, is kept in the store, but nothing rings until tocsind or tocsin runs"
      ]
    )
    _ = here.handle(shown(tea, .alerting))
    #expect(lines(here).isEmpty)
    var there = FollowState([tea], hosts: false)
    _ = there.handle(shown(tea, .countdown))
    #expect(lines(there) == ["Tea goes on in the daemon and rings at 07:00"])
    _ = there.handle(shown(tea, .alerting))
    #expect(lines(there) == ["Tea rings on; stop it with: tocsin stop"])
  }

  @Test("keys are single letters in either case")
  func bytes() {
    let table: [(UInt8, Key?)] = [
      (0x0a, .stop), (0x0d, .stop), (0x20, .stop), (0x73, .snooze), (0x53, .snooze), (0x70, .pause),
      (0x71, .quit), (0x03, .quit), (0x04, .quit), (0x78, nil), (0x1b, nil),
    ]
    for (byte, key) in table { #expect(Key(byte) == key) }
    #expect(
      Key.read("ps\u{1b}[1;5Ap\u{1b}OSq\u{1b}s \u{1b}[".utf8) == [
        .pause, .snooze, .pause, .quit, .stop,
      ]
    )
  }
}

import SinkKit
import SinkTesting
import Testing

@testable import GPIOSink

@Suite("What a gesture means") struct ButtonMapTests {
  private let ringing = ButtonMap.Shown(
    occurrence: Sample.occurrence(1),
    state: .alerting,
    since: .seconds(10)
  )
  private let counting = ButtonMap.Shown(
    occurrence: Sample.occurrence(2),
    state: .countdown,
    since: .seconds(10)
  )
  private let paused = ButtonMap.Shown(
    occurrence: Sample.occurrence(3),
    state: .paused,
    since: .seconds(10)
  )

  private func map(_ otherwise: String?, _ byState: [AlarmState: String] = [:]) throws -> ButtonMap
  {
    var meaning = ButtonMap.Meaning()
    if let otherwise { meaning.otherwise = try ButtonAction(otherwise) }
    for (state, text) in byState { meaning.byState[state] = try ButtonAction(text) }
    return ButtonMap(meanings: [.press: meaning])
  }

  private func answer(_ map: ButtonMap, _ shown: [ButtonMap.Shown]) -> ButtonMap.Answer? {
    map.answer(to: .press, began: .seconds(20), shown: shown)
  }

  @Test("in the state it is meant for, and nothing elsewhere")
  func ownState() throws {
    for (word, shown, action) in [
      ("snooze", ringing, AlarmAction.snooze), ("stop", ringing, .stop),
      ("secondary", ringing, .secondary), ("pause", counting, .pause),
      ("resume", paused, .resume), ("restart", counting, .restart),
    ] {
      let map = try map(word)
      let intents = [Intent(action, .occurrence(shown.occurrence))]
      #expect(answer(map, [counting, paused, ringing])?.intents == intents, "\(word)")
      let others = [counting, paused, ringing].filter { $0 != shown }
      #expect(answer(map, others) == nil, "\(word)")
    }
    let snooze = try map("snooze 5min")
    #expect(answer(snooze, [ringing])?.intents.first?.duration == 300)
    let extend = try map("extend 90s")
    #expect(answer(extend, [counting])?.intents.first?.duration == 90)
  }

  @Test("one thing for each state, what rings first")
  func states() throws {
    let map = try map(nil, [.alerting: "snooze", .countdown: "pause", .paused: "resume"])
    #expect(answer(map, [counting, paused, ringing])?.intents.map(\.action) == [.snooze])
    #expect(answer(map, [paused, counting])?.intents.map(\.action) == [.pause])
    #expect(answer(map, [paused])?.intents.map(\.action) == [.resume])
    #expect(answer(map, []) == nil)
  }

  @Test("no pause of a snooze, which would never ring")
  func snooze() throws {
    var snoozed = counting
    (snoozed.occurrence, snoozed.isSnooze) = (Sample.occurrence(4), true)
    let pause = try map("pause")
    #expect(answer(pause, [snoozed]) == nil)
    let intents = [Intent(.pause, .occurrence(counting.occurrence))]
    #expect(answer(pause, [snoozed, counting])?.intents == intents)
    let stop = try map(nil, [.countdown: "stop"])
    #expect(answer(stop, [snoozed])?.intents.count == 1)
  }

  @Test("the same for all that ring")
  func several() throws {
    var other = ringing
    other.occurrence = Sample.occurrence(4)
    let stop = try map("stop")
    #expect(
      answer(stop, [ringing, counting, other])?.intents == [
        Intent(.stop, .occurrence(ringing.occurrence)),
        Intent(.stop, .occurrence(other.occurrence)),
      ]
    )
  }

  @Test("nothing for what began under the finger")
  func later() throws {
    var new = ringing
    (new.occurrence, new.since) = (Sample.occurrence(4), .seconds(21))
    let stop = try map("stop")
    #expect(answer(stop, [new]) == nil)
    #expect(
      answer(stop, [new, ringing])?.intents == [Intent(.stop, .occurrence(ringing.occurrence))]
    )
  }

  @Test("in no state in particular: leave the next out, or say what it is")
  func stateless() throws {
    let skip = try map("skip")
    let say = try map("say-next", [.alerting: "snooze"])
    for shown in [[], [counting]] {
      #expect(answer(skip, shown)?.intents == [Intent(.skip, .only)])
      #expect(answer(say, shown) == ButtonMap.Answer(saysNext: true))
    }
    #expect(answer(say, [ringing])?.intents.map(\.action) == [.snooze])
    let own = try map(nil, [.countdown: "say-next"])
    #expect(answer(own, [counting]) == ButtonMap.Answer(saysNext: true))
    #expect(answer(own, [paused]) == nil)
  }

  @Test("nothing if it is not asked for")
  func unknown() throws {
    let snooze = try map("snooze")
    #expect(snooze.answer(to: .double, began: .seconds(20), shown: [ringing]) == nil)
  }
}

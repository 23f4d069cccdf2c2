import Testing
import TocsinModel

@testable import TocsinService

private let tea = occurrence(1)
private let eggs = occurrence(2)
private let description = SinkReport.Ready(
  name: "t",
  version: "1",
  capabilities: [],
  audible: true
)

@Suite("A plugin while an alert rings")
struct PluginAlertingTests {
  @Test("that worked is started again at once when it ends, however often it ends")
  func again() {
    var line = Timeline()
    line.becomeReady()
    line.at(10 * second, .alerting(true))
    for _ in 0..<20 {
      line.at(line.now + second, .exited(reason: "was ended by signal 9"), .spawn)
      line.at(line.now, .spawned, .hello)
      line.at(line.now, .ready, .sync)
    }
    #expect(line.state.restarts == 20)
    line.at(line.now, .alerting(false))
    line.at(line.now + second, .exited(reason: "was ended by signal 9"))
    #expect(line.state.deadline == line.now + 30 * second)
  }

  @Test("is never started twice within 0.1 s, and in a loop ever more slowly up to 5 s")
  func loop() {
    var line = Timeline()
    line.at(0, .alerting(true))
    line.at(0, .start, .spawn)
    var delays: [Int64] = []
    for _ in 0..<9 {
      let start = line.now
      line.at(start, .spawned, .hello)
      line.at(start, .ready, .sync)
      line.at(start + second / 20, .exited(reason: "was ended by signal 11"))
      delays.append((line.state.deadline ?? 0) - start)
      line.expire(.spawn)
    }
    #expect(
      delays.map { Double($0) / Double(second) }
        == [0.1, 0.1, 0.45, 0.85, 1.65, 3.25, 5.05, 5.05, 5.05]
    )
    // One run that held for a second is no accident of that kind.
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .ready, .sync)
    line.at(line.now + second, .exited(reason: "was ended by signal 9"), .spawn)
  }

  @Test("that never became ready is tried more slowly too, up to 5 s")
  func neverReady() {
    var line = Timeline()
    line.at(0, .alerting(true))
    line.at(0, .start, .spawn)
    var delays: [Int64] = []
    for _ in 0..<8 {
      line.at(line.now, .spawned, .hello)
      line.at(line.now + 2 * second, .exited(reason: "ended with status 1"))
      delays.append((line.state.deadline ?? 0) - line.now)
      line.expire(.spawn)
    }
    #expect(
      delays.map { Double($0) / Double(second) } == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]
    )
  }

  @Test("is asked every 2 s whether it lives, and not any more afterwards")
  func pings() {
    var line = Timeline()
    line.becomeReady()
    line.at(10 * second, .alerting(true))
    #expect(line.state.deadline == 12 * second)
    line.expire(.ping)
    line.at(line.now + second, .pong)
    #expect(line.state.deadline == 15 * second)
    // Whatever it says is an answer, and another alert puts nothing off.
    line.expire(.ping)
    line.at(line.now, .sent(seq: 4, tea, isAlert: true))
    line.at(line.now + second, .answered(seq: 4))
    #expect(line.state.deadline == 18 * second)
    line.at(17 * second, .alerting(true))
    #expect(line.state.deadline == 18 * second)
    line.at(17 * second, .alerting(false))
    #expect(line.state.deadline == nil)
    line.at(20 * second, .alerting(true))
    line.expire(.ping)
    line.at(line.now, .alerting(false))
    line.at(line.now, .pong)
    #expect(line.state.deadline == nil)
  }

  @Test("that stopped is found after 2 s and the time for an answer, and started again at once")
  func stopped() {
    var line = Timeline(timeout: 3 * second)
    line.becomeReady()
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(10 * second, .alerting(true))
    line.at(10 * second, .answered(seq: 1))
    line.expire(.ping)
    line.expire(.kill)
    #expect(line.now == 15 * second)
    line.at(line.now, .exited(reason: "was ended by signal 9"), .spawn)
    #expect(line.state.reason == "did not answer in time")
  }

  @Test("keeps its own interval where that is shorter, and comes back to it")
  func interval() {
    var quick = Timeline(ping: second)
    quick.becomeReady()
    quick.at(0, .alerting(true))
    #expect(quick.state.deadline == second)
    var slow = Timeline(ping: 30 * second)
    slow.becomeReady()
    slow.at(20 * second, .alerting(true))
    #expect(slow.state.deadline == 22 * second)
    slow.expire(.ping)
    slow.at(22 * second, .pong)
    slow.at(23 * second, .alerting(false))
    slow.expire(.ping)
    slow.at(24 * second, .pong)
    #expect(slow.state.deadline == 54 * second)
  }

  @Test("owes an answer to each event, whatever it says of others")
  func owed() {
    var line = Timeline(timeout: 5 * second)
    line.becomeReady()
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(11 * second, .sent(seq: 2, eggs, isAlert: true))
    line.at(12 * second, .answered(seq: 2))
    #expect(line.state.deadline == 15 * second)
    line.expire(.ping)
    line.at(line.now, .pong)
    #expect(line.state.reason == "has not confirmed event 1")
    // Neither another's answer nor time makes it right, its own answer does.
    line.at(line.now, .sent(seq: 3, eggs, isAlert: true))
    line.at(line.now, .answered(seq: 3))
    #expect(line.state.reason == "has not confirmed event 1")
    line.at(40 * second, .answered(seq: 1))
    #expect(line.state.reason == nil)
    #expect(line.state.deadline == nil)
  }

  @Test("owes nothing for what was replaced, and no word is lost on what is no alert")
  func replaced() {
    var line = Timeline(timeout: 5 * second)
    line.becomeReady()
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(11 * second, .sent(seq: 2, tea, isAlert: false))
    // It was silent for 5 s, so it is asked; but the newest event is not due yet.
    #expect(line.state.deadline == 15 * second)
    line.expire(.ping)
    line.at(line.now, .pong)
    #expect(line.state.deadline == 16 * second)
    line.expire(.ping)
    line.at(line.now, .pong)
    #expect(line.state.reason == nil)
    #expect(line.state.deadline == nil)
    line.at(20 * second, .sent(seq: 3, tea, isAlert: true))
    line.at(21 * second, .synchronised)
    #expect(line.state.deadline == nil)
  }

  @Test("is told of once for each time it does not confirm")
  func told() {
    var state = PluginState(pingInterval: nil, timeout: 5 * second)
    var logs = 0
    func handle(_ event: PluginState.Event, at now: Int64) {
      for effect in state.handle(event, now: now) { if case .log = effect { logs += 1 } }
    }
    for event in [.start, .spawned, .ready] as [PluginState.Event] { handle(event, at: 0) }
    for minute in 0..<10 as Range<Int64> {
      let now = minute * 60 * second
      let seq = UInt64(minute + 1)
      handle(.sent(seq: seq, occurrence(Int(minute)), isAlert: true), at: now)
      for _ in 0..<5 {
        guard let deadline = state.deadline else { continue }
        handle(.deadline, at: deadline)
        handle(.pong, at: deadline)
      }
      // Late, as a buzzer that begins after half a minute, but for the last five.
      if minute < 5 { handle(.answered(seq: seq), at: now + 30 * second) }
    }
    #expect(logs == 6)
  }

  @Test("may be counted on while it works, for a while after it ended, and not in a loop")
  func condition() {
    var line = Timeline()
    #expect(line.state.condition(nil) == .starting)
    line.at(0, .start, .spawn)
    var conditions: [PluginCondition] = []
    for _ in 0..<6 {
      line.at(line.now, .spawned, .hello)
      line.at(line.now, .exited(reason: "ended with status 3"))
      conditions.append(line.state.condition(nil))
      line.expire(.spawn)
    }
    let failed = PluginCondition.failed("ended with status 3")
    #expect(conditions == [.starting, .starting, .starting, .starting, failed, failed])
    // It is tried again, and counts as failed until that has worked.
    line.at(line.now, .spawned, .hello)
    #expect(line.state.condition(nil) == failed)
    line.at(line.now, .ready, .sync)
    #expect(line.state.condition(description) == .ready(description))
    line.at(line.now + 60 * second, .exited(reason: "ended with status 0"))
    #expect(line.state.condition(description) == .starting)
  }

  @Test("counts as failed while its program is missing or refuses, until it is ready")
  func refused() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    line.at(0, .notSpawned(reason: "there is no lamp", isMissing: true))
    #expect(line.state.condition(nil) == .failed("there is no lamp"))
    line.expire(.spawn)
    line.at(line.now, .spawned, .hello)
    #expect(line.state.condition(nil) == .failed("there is no lamp"))
    line.at(line.now, .exited(reason: "ended with status 78", isFinal: true))
    #expect(line.state.condition(nil) == .failed("ended with status 78"))
    line.expire(.spawn)
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .ready, .sync)
    #expect(line.state.condition(description) == .ready(description))
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("Programs that run once, decided")
struct HookStateTests {
  private typealias Job = HookState.Job

  private func state(
    _ events: [HookSettings.Event] = [.alert, .cleared, .missed, .countdown],
    atOnce: Int = 2
  ) -> HookState {
    var settings = HookSettings()
    for event in events { settings.commands[event] = ["x"] }
    settings.atOnce = atOnce
    return HookState(settings)
  }

  private func job(
    _ event: HookSettings.Event,
    _ number: Int,
    seq: UInt64,
    fired: Int64 = 0
  ) -> Job {
    var job = Job(event: event, seq: seq, occurrence: occurrence(number))
    if event == .alert { job.fired = Instant(seconds: fired) }
    return job
  }

  @Test("are run for their events, and how they end is the receipt")
  func receipts() {
    var state = state()
    let first = job(.alert, 1, seq: 5)
    let second = job(.alert, 2, seq: 6)
    #expect(state.handle(.occurred(first), now: 0) == [.run(1, first)])
    #expect(state.handle(.occurred(second), now: 0) == [.run(2, second)])
    #expect(state.handle(.ended(run: 2, failure: nil), now: 1) == [.presented(seq: 6)])
    #expect(state.reason == nil)
    #expect(
      state.handle(.ended(run: 1, failure: "ended with status 3"), now: 1) == [
        .failed(seq: 5, reason: "ended with status 3")
      ]
    )
    #expect(state.reason == "ended with status 3")
    let third = job(.missed, 1, seq: 7)
    #expect(state.handle(.occurred(third), now: 2) == [.run(3, third)])
    #expect(
      state.handle(.notStarted(run: 3, reason: "there is no x"), now: 2) == [
        .failed(seq: 7, reason: "there is no x"),
        .log(.warning, "run-on-missed: there is no x"),
      ]
    )
    #expect(state.deadline == nil)
  }

  @Test("are killed when they take too long")
  func timeLimit() {
    var state = state()
    let first = job(.alert, 1, seq: 5)
    _ = state.handle(.occurred(first), now: 100)
    #expect(state.deadline == 30_000_100)
    #expect(state.handle(.deadline, now: 30_000_099).isEmpty)
    #expect(state.handle(.deadline, now: 30_000_100) == [.kill(1)])
    #expect(state.deadline == nil)
    #expect(
      state.handle(.ended(run: 1, failure: "was ended by signal 9"), now: 30_000_200) == [
        .failed(seq: 5, reason: "took longer than 30s")
      ]
    )
  }

  @Test("that cannot be started for a moment are tried again, within their time")
  func retry() {
    var settings = HookSettings()
    settings.commands[.alert] = ["x"]
    settings.timeLimit = .milliseconds(250)
    var state = HookState(settings)
    let first = job(.alert, 1, seq: 5)
    _ = state.handle(.occurred(first), now: 0)
    let busy = HookState.Event.notStarted(run: 1, reason: "busy", isPassing: true)
    #expect(state.handle(busy, now: 0).isEmpty)
    #expect(state.deadline == 100_000)
    #expect(state.handle(.deadline, now: 100_000) == [.run(1, first)])
    #expect(state.deadline == 250_000)
    #expect(state.handle(busy, now: 100_000).isEmpty)
    #expect(state.handle(.deadline, now: 200_000) == [.run(1, first)])
    #expect(state.handle(busy, now: 200_000) == [.failed(seq: 5, reason: "busy")])
    _ = state.handle(.occurred(first), now: 300_000)
    _ = state.handle(.notStarted(run: 2, reason: "busy", isPassing: true), now: 300_000)
    #expect(state.handle(.stop, now: 300_000) == [.finished])
  }

  @Test("are no more at once than may be, the oldest first, and one of an occurrence")
  func atOnce() {
    var state = state()
    let jobs = [
      job(.alert, 1, seq: 1), job(.cleared, 1, seq: 2), job(.alert, 2, seq: 3),
      job(.alert, 3, seq: 4),
    ]
    #expect(state.handle(.occurred(jobs[0]), now: 0) == [.run(1, jobs[0])])
    #expect(state.handle(.occurred(jobs[1]), now: 0).isEmpty)
    #expect(state.handle(.occurred(jobs[2]), now: 0) == [.run(2, jobs[2])])
    #expect(state.handle(.occurred(jobs[3]), now: 0).isEmpty)
    #expect(
      state.handle(.ended(run: 1, failure: nil), now: 0) == [.presented(seq: 1), .run(3, jobs[1])]
    )
    #expect(
      state.handle(.ended(run: 2, failure: nil), now: 0) == [.presented(seq: 3), .run(4, jobs[3])]
    )
  }

  @Test(
    "wait for their turn as the newest state of an occurrence, which takes no place of a message"
  )
  func coalescing() {
    var state = state(atOnce: 1)
    _ = state.handle(.occurred(job(.alert, 9, seq: 1)), now: 0)
    _ = state.handle(.occurred(job(.countdown, 1, seq: 2)), now: 0)
    _ = state.handle(.occurred(job(.missed, 1, seq: 3)), now: 0)
    _ = state.handle(.occurred(job(.alert, 1, seq: 4)), now: 0)
    let cleared = job(.cleared, 1, seq: 5)
    _ = state.handle(.occurred(cleared), now: 0)
    let next = state.handle(.ended(run: 1, failure: nil), now: 0)
    #expect(next == [.presented(seq: 1), .run(2, job(.missed, 1, seq: 3))])
    let last = state.handle(.ended(run: 2, failure: nil), now: 0)
    #expect(last == [.presented(seq: 3), .run(3, cleared)])
    #expect(state.handle(.ended(run: 3, failure: nil), now: 0) == [.presented(seq: 5)])
    #expect(state.dropped == 0)
  }

  @Test("are not run for an alert that was over before its turn came")
  func withdrawn() {
    var state = state([.alert], atOnce: 1)
    _ = state.handle(.occurred(job(.alert, 9, seq: 1)), now: 0)
    _ = state.handle(.occurred(job(.alert, 1, seq: 2)), now: 0)
    #expect(state.handle(.occurred(job(.cleared, 1, seq: 3)), now: 0).isEmpty)
    #expect(state.handle(.ended(run: 1, failure: nil), now: 0) == [.presented(seq: 1)])
  }

  @Test("leave out what finds no room, and say so ever more rarely")
  func full() {
    var state = state(atOnce: 1)
    var logged = 0
    for number in 1...100 {
      for effect in state.handle(.occurred(job(.alert, number, seq: UInt64(number))), now: 0) {
        if case .log = effect { logged += 1 }
        if case .failed(let seq, let reason) = effect {
          #expect(seq > 65 && reason == "64 events wait already")
        }
      }
    }
    #expect(state.dropped == 35)
    #expect(logged == 6)
  }

  @Test("are run once for one alert, and again for the next of the same alarm")
  func once() {
    var state = state()
    _ = state.handle(.occurred(job(.alert, 1, seq: 1, fired: 10)), now: 0)
    // Told again while it runs: the louder, the shorter.
    #expect(state.handle(.occurred(job(.alert, 1, seq: 2, fired: 10)), now: 0).isEmpty)
    #expect(
      state.handle(.ended(run: 1, failure: nil), now: 0) == [
        .presented(seq: 1), .presented(seq: 2),
      ]
    )
    #expect(
      state.handle(.occurred(job(.alert, 1, seq: 3, fired: 10)), now: 0) == [.presented(seq: 3)]
    )
    let snoozed = job(.alert, 1, seq: 4, fired: 20)
    #expect(state.handle(.occurred(snoozed), now: 0) == [.run(2, snoozed)])
    // What failed may be tried again.
    _ = state.handle(.ended(run: 2, failure: "no net"), now: 0)
    let again = job(.alert, 1, seq: 5, fired: 20)
    #expect(state.handle(.occurred(again), now: 0) == [.run(3, again)])
  }

  @Test("are not run for an alert that went on before a restart, but for its next")
  func resumed() {
    var state = state()
    var resumed = job(.alert, 1, seq: 1, fired: 10)
    resumed.isResumed = true
    #expect(state.handle(.occurred(resumed), now: 0) == [.presented(seq: 1)])
    let next = job(.alert, 1, seq: 2, fired: 20)
    #expect(state.handle(.occurred(next), now: 0) == [.run(1, next)])
  }

  @Test("that there are none of do nothing, and confirm nothing")
  func none() {
    var state = state([.missed])
    #expect(state.handle(.occurred(job(.alert, 1, seq: 1)), now: 0).isEmpty)
    #expect(state.handle(.occurred(job(.countdown, 1, seq: 2)), now: 0).isEmpty)
  }

  @Test("may come to their end when the hook is stopped, but not for long")
  func stopping() {
    var state = state(atOnce: 1)
    _ = state.handle(.occurred(job(.alert, 1, seq: 1)), now: 0)
    _ = state.handle(.occurred(job(.alert, 2, seq: 2)), now: 0)
    #expect(state.handle(.stop, now: 0).isEmpty)
    #expect(state.handle(.occurred(job(.alert, 3, seq: 3)), now: 0).isEmpty)
    #expect(state.deadline == 500_000)
    #expect(state.handle(.deadline, now: 500_000) == [.terminate(1)])
    #expect(state.handle(.deadline, now: 1_500_000) == [.kill(1)])
    #expect(
      state.handle(.ended(run: 1, failure: "x"), now: 1_500_001) == [
        .failed(seq: 1, reason: "x"), .finished,
      ]
    )
    var idle = self.state()
    #expect(idle.handle(.stop, now: 0) == [.finished])
  }
}

import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite struct AnswerTests {
  private func ringing(_ settings: [String: String] = [:]) throws -> Bench {
    let bench = try Bench(settings)
    bench.present(Sample.ringing(seq: 1))
    _ = bench.reports()
    return bench
  }

  private func intent(_ action: AlarmAction, _ serial: UInt32 = 0) -> SinkReport {
    .intent(Intent(action, .occurrence(Sample.occurrence(serial))))
  }

  @Test(
    "A button is an answer for the occurrence its pop-up is about",
    arguments: ["stop", "snooze"]
  )
  func press(key: String) throws {
    let bench = try ringing()
    bench.server.press(key)
    bench.settle()
    #expect(bench.reports() == [intent(key == "stop" ? .stop : .snooze)])
  }

  @Test("Each of several pop-ups answers for its own")
  func several() throws {
    let bench = try ringing()
    let first = bench.server.handle
    bench.present(Sample.ringing(seq: 2, 1, title: "Bus"))
    let second = bench.server.screen.keys.first { $0 != first }
    _ = bench.reports()
    bench.server.press("stop", on: second)
    bench.server.press("snooze", on: first)
    bench.settle()
    #expect(bench.reports() == [intent(.stop, 1), intent(.snooze, 0)])
  }

  @Test("A second press, another one, and one that is not offered mean nothing")
  func twice() throws {
    let bench = try ringing()
    for key in ["pause", "secondary", "rubbish", "", "snooze", "snooze", "stop"] {
      bench.server.press(key)
    }
    bench.settle()
    #expect(bench.reports() == [intent(.snooze)])
  }

  @Test("A press on a pop-up of the past answers nothing that rings now")
  func stale() throws {
    let bench = try ringing()
    let old = bench.server.handle
    bench.receive(.cleared(Sample.cleared(seq: 2)))
    bench.present(Sample.ringing(seq: 3, 1))
    _ = bench.reports()
    bench.server.press("stop", on: old)
    bench.server.press("stop", on: 4_711)
    bench.server.close(.dismissed, old)
    bench.settle()
    #expect(bench.reports().isEmpty)
    #expect(bench.screen.count == 1)
  }

  @Test("A press that crosses the end of its alarm means nothing")
  func crossing() throws {
    let bench = try ringing()
    bench.server.mode = .hangs
    bench.receive(.cleared(Sample.cleared(seq: 2)))
    bench.server.press("stop")
    bench.settle()
    #expect(bench.reports().isEmpty)
    bench.server.resume()
    bench.settle()
    #expect(bench.reports() == [.presented(seq: 2)])
  }

  @Test("The snoozed alarm's pop-up answers again in its next state")
  func next() throws {
    let bench = try ringing()
    bench.server.press("snooze")
    bench.settle()
    bench.present(Sample.counting(seq: 2, snooze: true))
    bench.server.press("stop")
    bench.settle()
    #expect(bench.reports() == [intent(.snooze), .presented(seq: 2), intent(.stop)])
  }

  @Test("A close that follows a press is no dismissal, and the pop-up stays away")
  func closeAfterPress() throws {
    let bench = try ringing(["on-dismiss": "snooze"])
    bench.server.press("stop")
    bench.server.close(.dismissed)
    bench.settle()
    bench.advance(1)
    bench.receive(.cleared(Sample.cleared(seq: 2)))
    bench.advance(60)
    #expect(bench.reports() == [intent(.stop), .presented(seq: 2)])
    #expect(bench.screen.isEmpty)
  }

  @Test("If the answer had no effect, the pop-up is back after five seconds")
  func noEffect() throws {
    let bench = try ringing()
    bench.server.press("stop")
    bench.server.close(.undefined)
    bench.advance(4.9)
    #expect(bench.screen.isEmpty)
    bench.advance(0.1)
    #expect(bench.screen.count == 1)
    bench.server.press("stop")
    bench.settle()
    #expect(bench.reports() == [intent(.stop), intent(.stop)])
  }

  @Test("A pop-up that went by itself while its alarm rings is shown again", arguments: [1, 3, 4])
  func expired(number: Int) throws {
    let bench = try ringing()
    let reason = try #require(CloseReason(rawValue: number))
    let old = bench.server.handle
    bench.server.close(reason)
    bench.settle()
    #expect(bench.screen.isEmpty)
    bench.advance(1)
    #expect(bench.screen.count == 1)
    #expect(bench.server.handle != old)
    #expect(bench.reports().isEmpty)
  }

  @Test("A server that takes every pop-up away at once is asked ever less often")
  func fight() throws {
    let bench = try ringing()
    var calls = 0
    for _ in 0..<600 {
      if !bench.screen.isEmpty { bench.server.close(.expired) }
      let before = bench.server.calls.count
      bench.advance(1)
      calls += bench.server.calls.count - before
    }
    #expect((20...30).contains(calls))
  }

  @Test("One that lasted is shown again as soon as the first time, and so is one in a new state")
  func lasting() throws {
    let bench = try ringing()
    for _ in 0..<4 {
      bench.server.close(.expired)
      bench.advance(1)
      #expect(bench.screen.count == 1)
      bench.advance(10)
    }
    for seq in 2..<6 as Range<UInt64> {
      bench.server.close(.expired)
      bench.advance(1)
      #expect(bench.screen.count == 1)
      bench.present(Sample.ringing(seq: seq, snoozes: Int(seq)))
    }
  }

  @Test("What is closed in the state after an answer is closed for itself")
  func closedLater() throws {
    let bench = try ringing(["on-dismiss": "stop"])
    bench.server.press("snooze")
    bench.settle()
    bench.present(Sample.ringing(seq: 2, snoozes: 1))
    bench.server.close(.dismissed)
    bench.settle()
    #expect(bench.reports() == [intent(.snooze), .presented(seq: 2), intent(.stop)])
  }

  @Test("A closed pop-up is no answer: it comes back after five seconds")
  func dismissed() throws {
    let bench = try ringing()
    bench.server.close(.dismissed)
    bench.advance(4.9)
    #expect(bench.screen.isEmpty)
    bench.advance(0.1)
    #expect(bench.screen.count == 1)
    #expect(bench.reports().isEmpty)
  }

  @Test("Closing a pop-up may be set to be an answer", arguments: ["snooze", "stop"])
  func dismissIsAnswer(value: String) throws {
    let bench = try ringing(["on-dismiss": value])
    bench.server.close(.dismissed)
    bench.settle()
    #expect(bench.reports() == [intent(value == "stop" ? .stop : .snooze)])
    #expect(bench.screen.isEmpty)
    // Only the person's own close is one.
    bench.present(Sample.ringing(seq: 2, snoozes: 1))
    bench.server.close(.expired)
    bench.advance(1)
    #expect(bench.screen.count == 1)
    #expect(bench.reports() == [.presented(seq: 2)])
  }

  @Test("An answer that is not offered is none: the pop-up comes back")
  func dismissWithout() throws {
    let bench = try Bench(["on-dismiss": "snooze"])
    bench.present(Sample.ringing(buttons: [Sample.stop]))
    _ = bench.reports()
    bench.server.close(.dismissed)
    bench.advance(5)
    #expect(bench.reports().isEmpty)
    #expect(bench.screen.count == 1)
  }

  @Test("Or to be left alone until the alarm's state changes")
  func dismissIsFinal() throws {
    let bench = try ringing(["on-dismiss": "nothing"])
    bench.server.close(.dismissed)
    bench.advance(600)
    #expect(bench.screen.isEmpty)
    bench.present(Sample.ringing(seq: 2))
    #expect(bench.screen.isEmpty)
    bench.present(Sample.counting(seq: 3, snooze: true))
    #expect(bench.screen.count == 1)
    #expect(bench.reports() == [.presented(seq: 2), .presented(seq: 3)])
  }

  @Test("A closed countdown stays away until it rings")
  func dismissedCountdown() throws {
    let bench = try Bench(["on-dismiss": "stop"])
    bench.present(Sample.counting(seq: 1, total: 120))
    bench.server.close(.dismissed)
    bench.advance(120)
    #expect(bench.screen.isEmpty)
    bench.present(Sample.ringing(seq: 2))
    #expect(bench.screen.count == 1)
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
  }

  @Test("A click on the text does nothing, not even if the server then closes the pop-up")
  func clickIsNothing() throws {
    let bench = try ringing(["on-dismiss": "stop"])
    bench.server.press("default")
    bench.server.close(.dismissed)
    bench.advance(1)
    #expect(bench.reports().isEmpty)
    #expect(bench.screen.count == 1)
  }

  @Test("Or what it is set to", arguments: ["snooze", "stop"])
  func clickIsAnswer(value: String) throws {
    let bench = try ringing(["default-action": value])
    bench.server.press("default")
    bench.settle()
    #expect(bench.reports() == [intent(value == "stop" ? .stop : .snooze)])
  }
}

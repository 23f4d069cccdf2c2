import Testing
import TocsinModel
import TocsinTime

@testable import TocsinApplication

@Suite("A line's decisions: a request whose answer was lost")
struct RepeatedRequestTests {
  private static let first = AlarmID(high: 1, low: 1).description

  /// What becomes of a request that is sent while the alarm is as `before`, when it is as `after` on the next
  /// connection: `sent again`, or the answer.
  private func fate(
    of body: Request.Body,
    _ before: AlarmStatus?,
    _ after: AlarmStatus?
  ) -> String {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve([before].compactMap { $0 })
    let call = bench.ask(body)
    bench.restart([after].compactMap { $0 })
    return bench.answers[call] ?? (bench.openTypes.isEmpty ? "nothing" : "sent again")
  }

  private func intent(_ action: AlarmAction, _ duration: Double? = nil) -> Request.Body {
    .intent(Intent(action, .named(Self.first), duration: duration))
  }

  @Test("A new alarm that is there as it was sent was taken, another is refused")
  func schedule() {
    let body = Request.Body.schedule(alarm(1))
    #expect(fate(of: body, nil, status(1, .countdown)) == "done")
    #expect(fate(of: body, nil, nil) == "sent again")
    var other = status(1, .countdown)
    other.alarm.title = "Coffee"
    #expect(fate(of: body, nil, other) == "sent again")
    // It was there before it was asked for: the first time was refused as well.
    #expect(fate(of: body, status(1, .countdown), status(1, .countdown)) == "sent again")
  }

  @Test("An alarm that was taken answers with what it has become")
  func answer() {
    let bench = StateBench()
    let call = bench.ask(.schedule(alarm(1)))
    bench.serve()
    bench.restart([status(1, .alerting)])
    #expect(bench.answered[call]?.alarms == [status(1, .alerting)])
    #expect(bench.answered[call]?.outcome.count == 1)
  }

  @Test("Times are compared as they are written")
  func precision() {
    var sent = alarm(1)
    sent.schedule = .fixed(Instant(microseconds: 2_000_000_123_456))
    var kept = status(1, .scheduled)
    kept.alarm.schedule = .fixed(Instant(microseconds: 2_000_000_123_000))
    #expect(fate(of: .schedule(sent), nil, kept) == "done")
  }

  @Test("A stop is done when its occurrence is over, and never meets the next one")
  func stop() {
    #expect(fate(of: intent(.stop), status(1, .alerting), nil) == "done")
    #expect(fate(of: intent(.stop), status(1, .alerting), status(1, .scheduled)) == "done")
    let next = status(1, .alerting, serial: 1)
    #expect(fate(of: intent(.stop), status(1, .alerting), next) == "done")
    #expect(fate(of: intent(.stop), status(1, .alerting), status(1, .alerting)) == "sent again")
    #expect(fate(of: intent(.stop), status(1, .scheduled), status(1, .scheduled)) == "sent again")
    #expect(fate(of: intent(.stop), nil, nil) == "sent again")
    let named = Request.Body.intent(Intent(.stop, .occurrence(occurrence(1))))
    #expect(fate(of: named, status(1, .alerting), nil) == "done")
  }

  @Test("A cancel is done when the alarm is gone that was there")
  func cancel() {
    #expect(fate(of: intent(.cancel), status(1, .scheduled), nil) == "done")
    #expect(fate(of: intent(.cancel), nil, nil) == "sent again")
    #expect(
      fate(of: intent(.cancel), status(1, .alerting), status(1, .scheduled)) == "sent again"
    )
  }

  @Test(
    "A snooze is done when the same occurrence is snoozing",
    arguments: [
      AlarmAction.snooze, .secondary,
    ]
  )
  func snooze(action: AlarmAction) {
    let snoozing = status(1, .countdown, snoozing: true)
    #expect(fate(of: intent(action), status(1, .alerting), snoozing) == "done")
    #expect(fate(of: intent(action), status(1, .alerting), status(1, .alerting)) == "sent again")
    #expect(fate(of: intent(action), snoozing, snoozing) == "sent again")
    let other = status(1, .countdown, serial: 1, snoozing: true)
    #expect(fate(of: intent(action), status(1, .alerting), other) == "sent again")
  }

  @Test("A countdown is halted, goes on, or is lengthened once")
  func countdown() {
    let (counting, halted) = (status(1, .countdown), status(1, .paused))
    #expect(fate(of: intent(.pause), counting, halted) == "done")
    #expect(fate(of: intent(.pause), counting, counting) == "sent again")
    #expect(fate(of: intent(.resume), halted, counting) == "done")
    #expect(fate(of: intent(.resume), halted, halted) == "sent again")
    var longer = counting
    longer.countdown?.total = 120
    #expect(fate(of: intent(.extend, 60), counting, longer) == "done")
    #expect(fate(of: intent(.extend, 60), counting, counting) == "sent again")
  }

  @Test("What is switched or skipped is so once")
  func switches() {
    var off = status(1, .scheduled)
    off.alarm.isEnabled = false
    var skipping = status(1, .scheduled)
    skipping.skips = CivilDate("2027-03-28")
    let on = status(1, .scheduled)
    #expect(fate(of: intent(.disable), on, off) == "done")
    #expect(fate(of: intent(.enable), off, on) == "done")
    #expect(fate(of: intent(.enable), on, on) == "sent again")
    #expect(fate(of: intent(.skip), on, skipping) == "done")
    #expect(fate(of: intent(.skip), on, on) == "sent again")
  }

  @Test("A question is asked again, and answered once")
  func question() {
    let bench = StateBench()
    let call = bench.ask(.next)
    bench.serve()
    bench.tell(.reply(.alarm(id: bench.open[0].id, status(1, .alerting))))
    bench.restart([])
    #expect(bench.openTypes == ["next"])
    bench.grant("next", Reply.Outcome(count: 1), [status(1, .countdown)])
    #expect(bench.answered[call]?.alarms == [status(1, .countdown)])
  }

  @Test("They are sent again in the order they were asked, those that were never sent last")
  func order() {
    let bench = StateBench()
    bench.ask(.next)
    bench.ask(.sinks)
    bench.serve()
    bench.breakOff()
    bench.ask(.silences)
    bench.passToDeadline()
    bench.serve()
    #expect(bench.openTypes == ["next", "sinks", "silences"])
  }

  @Test("Refused the second time for having been done in between, it is done")
  func between() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve([status(1, .alerting)])
    let call = bench.ask(intent(.stop))
    bench.restart([status(1, .alerting)])
    bench.tell(.message(.removed(AlarmID(high: 1, low: 1))))
    bench.refuse("stop", .notFound)
    #expect(bench.answers[call] == "done")
  }

  @Test("Refused the first time, it is refused, whatever has become of the alarm")
  func refusedFirst() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve([status(1, .alerting)])
    let call = bench.ask(intent(.stop))
    bench.tell(.message(.removed(AlarmID(high: 1, low: 1))))
    bench.refuse("stop", .notFound)
    #expect(bench.answers[call] == "refused notFound")
  }

  @Test("One that was given up is not sent again")
  func abandoned() {
    let bench = StateBench()
    let call = bench.ask(.next, within: 50_000)
    bench.serve()
    bench.passToDeadline()
    #expect(bench.answers[call] == "timeout")
    bench.restart([])
    #expect(bench.openTypes.isEmpty)
  }
}

import Testing
import TocsinModel

@testable import TocsinApplication

@Suite("A line's decisions: updates")
struct LinkUpdateTests {
  private func reading(_ alarms: [AlarmStatus] = []) -> StateBench {
    let bench = StateBench()
    bench.tell(.reads(reader: 1, .alarms))
    bench.serve(alarms)
    return bench
  }

  @Test("Who reads before anything is known is told when it is, who comes later at once")
  func snapshot() {
    let bench = reading([status(1, .alerting)])
    #expect(bench.takeLog() == ["admit 1: unknown", "reach socket", "alarms Tea alerting"])
    bench.tell(.reads(reader: 2, .alarms))
    #expect(bench.takeLog() == ["admit 2: Tea alerting"])
  }

  @Test("A program without alarms is told that too")
  func empty() {
    #expect(reading().takeLog().last == "alarms ")
  }

  @Test("Each state that differs is told in its order, and none twice")
  func each() {
    let bench = reading()
    _ = bench.takeLog()
    for state in [AlarmState.countdown, .countdown, .alerting, .countdown] {
      bench.tell(.message(.changed(status(1, state))))
    }
    bench.tell(.message(.removed(AlarmID(high: 1, low: 1))))
    bench.tell(.message(.removed(AlarmID(high: 1, low: 1))))
    #expect(
      bench.takeLog()
        == ["alarms Tea countdown", "alarms Tea alerting", "alarms Tea countdown", "alarms "]
    )
  }

  @Test("While nobody reads nothing is made for readers")
  func nobody() {
    let bench = reading()
    bench.tell(.readNoMore(reader: 1))
    _ = bench.takeLog()
    bench.tell(.message(.changed(status(1, .alerting))))
    #expect(bench.takeLog().isEmpty)
    #expect(bench.state.mirror.alarms.count == 1)
  }

  @Test("The next to ring stands first, then by identity")
  func order() {
    let bench = reading([
      status(4, .scheduled), status(3, .scheduled, next: 20), status(2, .scheduled, next: 10),
      status(1, .scheduled, next: 20), status(5, .scheduled),
    ])
    #expect(bench.state.mirror.alarms.map(\.alarm.id.low) == [2, 1, 3, 4, 5])
    bench.tell(.message(.changed(status(4, .scheduled, next: 15))))
    bench.tell(.message(.changed(status(2, .scheduled, next: 20))))
    bench.tell(.message(.removed(AlarmID(high: 1, low: 3))))
    #expect(bench.state.mirror.alarms.map(\.alarm.id.low) == [4, 1, 2, 5])
  }

  @Test("What changes while the alarms are being listed is seen, each step of it")
  func loading() {
    let bench = StateBench()
    bench.tell(.reads(reader: 1, .alarms))
    bench.tell(.reached(.socket))
    bench.grant("join")
    let list = bench.open[0].id
    bench.tell(.message(.changed(status(1, .alerting))))
    bench.tell(.reply(.alarm(id: list, status(2, .scheduled))))
    bench.tell(.message(.changed(status(2, .alerting))))
    bench.tell(.message(.changed(status(2, .countdown))))
    bench.tell(.message(.removed(AlarmID(high: 1, low: 3))))
    bench.tell(.message(.removed(AlarmID(high: 1, low: 1))))
    _ = bench.takeLog()
    bench.grant("list")
    bench.grant("status", Reply.Outcome(status: StateBench.status(embedded: nil)))
    #expect(
      bench.takeLog() == [
        "alarms Tea alerting, Tea scheduled", "alarms Tea alerting, Tea alerting",
        "alarms Tea alerting, Tea countdown", "alarms Tea countdown",
      ]
    )
  }

  @Test("After a new connection there is one new snapshot, if anything differs")
  func again() {
    let bench = reading([status(1, .countdown), status(2, .scheduled)])
    _ = bench.takeLog()
    bench.restart([status(1, .countdown), status(2, .scheduled)])
    #expect(bench.takeLog() == ["reach socket"])
    bench.restart([status(1, .alerting)])
    #expect(bench.takeLog() == ["reach socket", "alarms Tea alerting"])
    // What was known stays known while nobody is there.
    bench.breakOff()
    #expect(bench.state.isKnown)
    bench.tell(.reads(reader: 2, .alarms))
    #expect(bench.takeLog().contains("admit 2: Tea alerting"))
  }

  @Test("Whether it may set alarms is told once for each answer that differs")
  func access() {
    let bench = StateBench()
    bench.tell(.reads(reader: 1, .access))
    bench.serve()
    bench.tell(.message(.authorization(.authorized)))
    bench.tell(.message(.authorization(.denied)))
    bench.tell(.reads(reader: 2, .access))
    let call = bench.ask(.authorize)
    bench.grant("authorize", Reply.Outcome(access: .authorized))
    #expect(
      bench.takeLog() == [
        "admit 1: unknown", "reach socket", "access authorized", "access denied", "admit 2: denied",
        "access authorized",
      ]
    )
    #expect(bench.answered[call]?.outcome.access == .authorized)
  }
}

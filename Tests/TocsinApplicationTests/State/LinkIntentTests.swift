import Testing
import TocsinModel

@testable import TocsinApplication

@Suite("A line's decisions: intents")
struct LinkIntentTests {
  private func performing() -> StateBench {
    let bench = StateBench()
    bench.tell(.performs)
    bench.serve()
    _ = bench.takeLog()
    return bench
  }

  /// The numbers of the intents that the service was told have run, and has not answered.
  private func told(_ bench: StateBench) -> [String] {
    bench.open.compactMap {
      guard case .performed(let number, let failure) = $0.body else { return nil }
      return failure.map { "\(number): \($0)" } ?? "\(number)"
    }
  }

  @Test("A program that runs intents says so when it joins, or joins again to say it")
  func saying() {
    let bench = StateBench()
    bench.tell(.performs)
    bench.tell(.reached(.socket))
    guard case .join(let join)? = bench.open.first?.body else {
      Issue.record("it does not join")
      return
    }
    #expect(join.perform)
    let late = StateBench()
    late.ask(nil)
    late.serve()
    late.tell(.performs)
    late.tell(.performs)
    guard case .join(let again)? = late.open.first?.body, late.open.count == 1 else {
      Issue.record("it does not join again, once")
      return
    }
    #expect(again == Join(application: "kitchen", follow: true, perform: true))
    late.grant("join", Reply.Outcome(access: .authorized))
    #expect(late.state.phase == .ready && late.openTypes.isEmpty)
    late.breakOff()
    late.passToDeadline()
    late.tell(.reached(.socket))
    guard case .join(let next)? = late.open.first?.body else {
      Issue.record("it does not join")
      return
    }
    #expect(next.perform)
  }

  @Test("It says so too if it began while the name was being said")
  func sayingEarly() {
    let bench = StateBench()
    bench.ask(nil)
    bench.tell(.reached(.socket))
    bench.tell(.performs)
    #expect(bench.openTypes == ["join"])
    bench.grant("join", Reply.Outcome(access: .authorized))
    #expect(bench.openTypes == ["list", "status", "join"])
  }

  @Test("An intent runs, and the service is told what it threw")
  func run() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1))))
    #expect(bench.takeLog() == ["run 1"])
    bench.tell(.ran(number: 1, failure: "no water"))
    #expect(told(bench) == ["1: no water"])
    bench.grant("performed")
    bench.restart([])
    #expect(told(bench).isEmpty)
  }

  @Test("One at a time for each alarm, in order; different alarms at once")
  func turns() {
    let bench = performing()
    for (number, alarm) in [(1, 1), (2, 1), (3, 2), (4, 1)] as [(UInt64, UInt64)] {
      bench.tell(.message(.perform(pending(number, alarm: alarm))))
    }
    #expect(bench.takeLog() == ["run 1", "run 3"])
    bench.tell(.ran(number: 1, failure: nil))
    #expect(bench.takeLog() == ["run 2"])
    bench.tell(.ran(number: 2, failure: nil))
    bench.tell(.ran(number: 3, failure: nil))
    bench.tell(.ran(number: 4, failure: nil))
    #expect(bench.takeLog() == ["run 4"])
    #expect(told(bench) == ["1", "2", "3", "4"])
  }

  @Test("Handed over again while it runs or waits, it runs once")
  func again() {
    let bench = performing()
    for number in [1, 1, 2, 2] as [UInt64] { bench.tell(.message(.perform(pending(number)))) }
    #expect(bench.takeLog() == ["run 1"])
    bench.tell(.ran(number: 1, failure: nil))
    bench.tell(.ran(number: 1, failure: nil))
    #expect(bench.takeLog() == ["run 2"])
    bench.tell(.ran(number: 2, failure: nil))
    #expect(bench.takeLog().isEmpty)
  }

  @Test("Handed over again after it has run, it is answered at once")
  func after() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1))))
    bench.tell(.ran(number: 1, failure: "no water"))
    bench.grant("performed")
    bench.tell(.message(.perform(pending(1))))
    #expect(bench.takeLog() == ["run 1"])
    #expect(told(bench) == ["1: no water"])
  }

  @Test("That it has run is said again on the next connection until it is answered")
  func lostAnswer() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1))))
    bench.tell(.ran(number: 1, failure: nil))
    bench.restart([])
    #expect(told(bench) == ["1"])
    // A store that takes nothing keeps the intent, so it is said again later.
    bench.refuse("performed", .storage)
    #expect(told(bench).isEmpty)
    bench.restart([])
    #expect(told(bench) == ["1"])
    bench.refuse("performed", .notFound)
    bench.restart([])
    #expect(told(bench).isEmpty)
  }

  @Test("One that runs while the connection breaks goes on, and is said on the next")
  func across() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1))))
    bench.breakOff()
    bench.tell(.ran(number: 1, failure: nil))
    #expect(told(bench).isEmpty)
    bench.passToDeadline()
    bench.tell(.reached(.socket))
    bench.tell(.message(.perform(pending(1))))
    bench.grant("join")
    bench.grant("list")
    bench.grant("status", Reply.Outcome(status: StateBench.status(embedded: nil)))
    #expect(told(bench) == ["1"])
    #expect(bench.takeLog() == ["run 1", "reach socket"])
  }

  @Test("One that has not begun when the connection breaks waits to be handed over again")
  func notBegun() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1))))
    bench.tell(.message(.perform(pending(2))))
    bench.breakOff()
    bench.tell(.ran(number: 1, failure: nil))
    bench.passToDeadline()
    bench.serve()
    #expect(bench.takeLog() == ["run 1", "reach socket"])
    bench.tell(.message(.perform(pending(2))))
    #expect(bench.takeLog() == ["run 2"])
  }

  @Test("Another program's intent, or one that nobody runs, is left alone")
  func notMine() {
    let bench = performing()
    bench.tell(.message(.perform(pending(1, application: "garden"))))
    #expect(bench.takeLog().isEmpty)
    let idle = StateBench()
    idle.ask(nil)
    idle.serve()
    idle.tell(.message(.perform(pending(1))))
    #expect(!idle.takeLog().contains("run 1"))
  }

  @Test("What has run is remembered, up to a bound, the latest longest")
  func memory() {
    var ledger = IntentLedger(memory: 3)
    for number in 1...5 as ClosedRange<UInt64> {
      #expect(ledger.take(pending(number)) == .run(pending(number)))
      #expect(ledger.finish(number, failure: "\(number)") == nil)
      ledger.settle(number)
    }
    for number in 3...5 as ClosedRange<UInt64> {
      #expect(ledger.take(pending(number)) == .answer(number, failure: "\(number)"))
    }
    #expect(ledger.take(pending(2)) == .run(pending(2)))
  }
}

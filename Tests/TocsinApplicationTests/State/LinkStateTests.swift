import Testing
import TocsinModel
import TocsinTime

@testable import TocsinApplication

@Suite("A line's decisions: joining")
struct LinkJoiningTests {
  @Test("It looks for nobody before it is used, then joins, lists, and only then asks")
  func first() {
    let bench = StateBench()
    #expect(bench.state.deadline == nil)
    let call = bench.ask(.next)
    bench.ask(.sinks)
    #expect(bench.takeLog() == ["reach socket"])
    #expect(bench.openTypes.isEmpty)
    bench.tell(.reached(.socket))
    #expect(bench.openTypes == ["join"])
    if case .join(let join)? = bench.open.first?.body {
      #expect(join == Join(application: "kitchen", follow: true, perform: false))
    }
    bench.grant("join", Reply.Outcome(access: .authorized))
    #expect(bench.openTypes == ["list", "status"])
    bench.grant("list", Reply.Outcome(count: 0))
    bench.grant("status", Reply.Outcome(status: StateBench.status(embedded: nil)))
    #expect(bench.openTypes == ["next", "sinks"])
    bench.grant("next")
    #expect(bench.answers == [call: "done"])
  }

  @Test("Who waits for the alarms to be known has them when the list is there")
  func known() {
    let bench = StateBench()
    let call = bench.ask(nil)
    bench.serve([status(2, .scheduled), status(1, .alerting)])
    #expect(bench.answers[call] == "done")
    #expect(bench.state.mirror.alarms.count == 2)
    #expect(bench.openTypes.isEmpty)
  }

  @Test("An answer holds its lines and its end")
  func lines() {
    let bench = StateBench()
    let call = bench.ask(.next)
    bench.serve()
    bench.grant("next", Reply.Outcome(count: 1), [status(1, .countdown)])
    #expect(bench.answered[call]?.alarms == [status(1, .countdown)])
    #expect(bench.answered[call]?.outcome.count == 1)
  }

  @Test("No more requests are under way than the service reads at once")
  func window() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve()
    for _ in 0..<200 { bench.ask(.next) }
    #expect(bench.open.count == LinkCalls.window)
    bench.grant("next")
    #expect(bench.open.count == LinkCalls.window)
    for _ in 0..<199 { bench.grant("next") }
    #expect(bench.open.isEmpty)
    #expect(bench.answers.count == 201)
  }

  @Test("Who does not let the program in is left, and says why to all who wait")
  func refused() {
    let bench = StateBench()
    let call = bench.ask(.next)
    bench.tell(.reached(.socket))
    bench.refuse("join", .invalid)
    #expect(bench.answers[call] == "refused invalid")
    #expect(bench.takeLog() == ["reach socket", "disconnect"])
    #expect(bench.state.deadline == nil)
    // The next call tries again.
    bench.ask(.next)
    #expect(bench.takeLog() == ["reach socket"])
  }

  @Test("A service that is only too busy is tried again, and the call waits")
  func busy() {
    let bench = StateBench()
    let call = bench.ask(.next)
    bench.tell(.reached(.socket))
    bench.tell(.reply(.error(id: "", ServiceError(.busy, "too many"))))
    #expect(bench.takeLog() == ["reach socket", "disconnect"])
    bench.passToDeadline()
    #expect(bench.takeLog() == ["reach socket"])
    bench.serve()
    bench.grant("next")
    #expect(bench.answers[call] == "done")
  }

  @Test("A request that an ending service does not take is asked of the next")
  func ending() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve([status(1, .alerting)])
    let call = bench.ask(.intent(Intent(.stop, .occurrence(occurrence(1)))))
    bench.refuse("stop", .busy)
    #expect(bench.answers[call] == nil)
    bench.restart([])
    // It was not sent twice: what the next service says of it counts.
    bench.refuse("stop", .stale)
    #expect(bench.answers[call] == "refused stale")
  }

  @Test("A request that cannot be written down is refused, and nothing else")
  func unsendable() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve()
    let (one, other) = (bench.ask(.next), bench.ask(.sinks))
    bench.tell(.unsendable(request: bench.open[0].id, ServiceError(.tooLarge, "long")))
    bench.grant("sinks")
    #expect(bench.answers[one] == "refused tooLarge")
    #expect(bench.answers[other] == "done")
  }

  @Test("After the end all who wait hear of it, and so does who comes later")
  func end() {
    let bench = StateBench()
    let early = bench.ask(.next)
    bench.tell(.closed)
    #expect(bench.takeLog() == ["reach socket", "disconnect", "end"])
    let late = bench.ask(.next)
    for call in [early, late] {
      #expect(bench.answers[call]?.hasPrefix("unavailable: the program has closed") == true)
    }
    bench.tell(.closed)
    #expect(bench.takeLog().isEmpty)
    #expect(bench.state.deadline == nil)
  }
}

@Suite("A line's decisions: whom it joins")
struct LinkReachTests {
  private let nobody = LinkObstacle(.nobody, "nobody is there")
  private let locked = LinkObstacle(.passing, "the store is locked")

  @Test("Without a daemon it serves itself, and stays its own")
  func own() {
    let bench = StateBench(.automatic)
    bench.ask(.next)
    bench.tell(.unreachable(nobody))
    #expect(bench.takeLog() == ["reach socket", "reach own"])
    bench.serve([], .own)
    bench.breakOff()
    bench.passToDeadline()
    #expect(bench.takeLog() == ["reach own"])
  }

  @Test("A store that is locked is somebody else's: it looks for them again within the time")
  func race() {
    let bench = StateBench(.automatic)
    let call = bench.ask(.next)
    for _ in 0..<3 {
      bench.tell(.unreachable(nobody))
      bench.tell(.unreachable(locked))
      #expect(bench.takeLog() == ["reach socket", "reach own"])
      bench.passToDeadline()
    }
    bench.serve([], .socket, embedded: true)
    bench.grant("next")
    #expect(bench.answers[call] == "done")
  }

  @Test("Once it has joined a daemon it waits for it, and never takes its place")
  func daemon() {
    let bench = StateBench(.automatic)
    bench.ask(nil)
    bench.serve([], .socket, embedded: nil)
    bench.breakOff()
    _ = bench.takeLog()
    for _ in 0..<10 {
      bench.passToDeadline()
      bench.tell(.unreachable(nobody))
    }
    #expect(Set(bench.takeLog()) == ["reach socket"])
  }

  @Test("It takes over from another program that served, when nobody answers")
  func takeOver() {
    let bench = StateBench(.automatic)
    bench.ask(nil)
    bench.serve([status(1, .alerting)], .socket, embedded: true)
    bench.breakOff()
    bench.passToDeadline()
    bench.tell(.unreachable(nobody))
    #expect(bench.takeLog() == ["reach socket", "reach socket", "reach own"])
  }

  @Test("It tries again after 0.1 s, doubling to 5 s, sooner while a call waits")
  func pace() {
    let bench = StateBench()
    bench.tell(.reads(reader: 1, .alarms))
    var pauses: [LinkMoment] = []
    for _ in 0..<8 {
      bench.tell(.unreachable(nobody))
      pauses.append((bench.state.deadline ?? 0) - bench.now)
      bench.passToDeadline()
    }
    #expect(
      pauses == [100_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000, 5_000_000, 5_000_000]
    )
    bench.tell(.unreachable(nobody))
    bench.now += 50_000
    // A call does not wait for the end of a long pause, but a crowd is no crowd of tries.
    _ = bench.takeLog()
    bench.ask(.next)
    #expect(bench.takeLog().isEmpty)
    #expect((bench.state.deadline ?? 0) - bench.now == 50_000)
    bench.now += 200_000
    bench.ask(.next)
    #expect(bench.takeLog() == ["reach socket"])
    bench.tell(.unreachable(nobody))
    #expect((bench.state.deadline ?? 0) - bench.now == 1_000_000)
  }

  @Test("A daemon that dies at once over and over is not asked ten times a second")
  func crashing() {
    let bench = StateBench()
    bench.ask(nil)
    bench.serve()
    bench.breakOff()
    for pause in [100_000, 200_000, 400_000] as [LinkMoment] {
      #expect((bench.state.deadline ?? 0) - bench.now == pause)
      bench.passToDeadline()
      bench.serve()
      bench.breakOff()
    }
    bench.passToDeadline()
    bench.serve()
    bench.now += 60_000_000
    bench.breakOff()
    #expect((bench.state.deadline ?? 0) - bench.now == 100_000)
  }

  @Test("What only a person can change fails all that waits, and is not tried for nobody")
  func lasting() {
    let bench = StateBench(.automatic)
    let call = bench.ask(.next)
    bench.tell(.unreachable(LinkObstacle(.lasting, "not yours")))
    #expect(bench.answers[call] == "unavailable: not yours")
    #expect(bench.state.deadline == nil)
    bench.tell(.reads(reader: 7, .alarms))
    bench.tell(.unreachable(LinkObstacle(.lasting, "not yours")))
    #expect(bench.state.deadline != nil)
  }

  @Test("What was never sent was not done, and what was sent may have been")
  func timeouts() {
    let bench = StateBench()
    let early = bench.ask(.next, within: 300_000)
    bench.tell(.unreachable(nobody))
    while bench.answers[early] == nil {
      bench.passToDeadline()
      if case .reaching = bench.state.phase { bench.tell(.unreachable(nobody)) }
    }
    #expect(bench.answers[early] == "unavailable: nobody is there")
    #expect(bench.now == 1_300_000)
    bench.ask(nil)
    bench.now += 1_000_000
    bench.tell(.time)
    bench.serve()
    let sent = bench.ask(.reload, within: 300_000)
    bench.passToDeadline()
    #expect(bench.answers[sent] == "timeout")
    #expect(bench.state.deadline == nil)
    // A late answer is nobody's.
    bench.grant("reload")
    #expect(bench.answers[sent] == "timeout")
    let (question, change) = (
      bench.ask(.next, within: 50_000), bench.ask(.reload, within: 50_000)
    )
    bench.breakOff()
    bench.now += 50_000
    bench.tell(.time)
    #expect(bench.answers[question] == "unavailable: it broke")
    #expect(bench.answers[change] == "timeout")
    bench.passToDeadline()
    bench.serve()
    let hung = bench.ask(.next, within: 300_000)
    #expect(bench.state.abandon(hung, after: .milliseconds(300)) == .timeout(seconds: 0.3))
    #expect(bench.state.abandon(hung, after: .milliseconds(300)) == nil)
  }
}

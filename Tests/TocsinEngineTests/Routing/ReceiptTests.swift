import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("What becomes of an alert at each sink")
struct ReceiptTests {
  @Test("Every alert ends in presented, failed or timed out, per sink")
  func outcomes() throws {
    var bench = try RouterBench()
    bench.ready("speaker", audible: true)
    bench.ready("popup")
    bench.ready("lamp")
    bench.timer("Tea")
    bench.wait(10)
    bench.confirm("speaker")
    bench.fail("popup", "no desktop")
    #expect(
      bench.receipts("Tea") == ["speaker presented", "popup failed: no desktop", "lamp pending"]
    )
    bench.wait(5)
    #expect(bench.receipts("Tea").last == "lamp timedOut: no answer in 5s")
    #expect(
      bench.record == [
        "presented speaker", "failed popup no desktop", "timedOut lamp no answer in 5s",
      ]
    )
    bench.confirm("lamp")
    #expect(bench.record.last == "presented lamp")
    #expect(bench.router.unheardCount == 0)
  }

  @Test("The first sink to come after an alert has begun is believed as any other")
  func lateSink() throws {
    var bench = try RouterBench()
    bench.timer("Tea")
    bench.wait(10)
    bench.ready("speaker", audible: true)
    let seq = try #require(bench.table.presentations.first?.seq)
    bench.route(.presented(seq: seq, by: SinkID("speaker")))
    #expect(bench.receipts("Tea") == ["speaker presented"])
    bench.wait(60)
    #expect(bench.router.unheardCount == 0)
  }

  @Test("The fallback acts when nothing audible was confirmed in time, and the record says why")
  func fallback() throws {
    let wakeup = try route("wakeup", to: ["speaker", "popup"]) {
      $0.fallback = [try step("bedside.buzzer", after: 5)]
    }
    var bench = try RouterBench.ringing([wakeup])
    bench.confirm("popup")
    bench.wait(4.9)
    #expect(!bench.read().contains { $0.contains("bedside alert") })
    bench.wait(0.1)
    #expect(bench.read() == ["15 bedside alert Tea [\"buzzer\"]"])
    bench.confirm("bedside")
    bench.wait(60)
    #expect(bench.router.unheardCount == 0)
    #expect(
      bench.record == [
        "presented popup",
        "timedOut speaker no answer in 5s",
        "fallback bedside.buzzer, because nothing audible is confirmed: "
          + "speaker did not answer ([route wakeup])",
        "presented bedside buzzer",
      ]
    )
  }

  @Test("The fallback acts at once when all that can be heard have failed")
  func earlyFallback() throws {
    let wakeup = try route("wakeup", to: ["speaker"]) {
      $0.fallback = [try step("bedside.buzzer", after: 30)]
    }
    var bench = try RouterBench.ringing([wakeup])
    _ = bench.read()
    bench.fail("speaker", "no card")
    #expect(bench.read() == ["10 bedside alert Tea [\"buzzer\"]"])
  }

  @Test("No fallback where something audible confirmed")
  func heard() throws {
    let wakeup = try route(to: ["speaker"]) {
      $0.fallback = [try step("bedside.buzzer", after: 5)]
    }
    var bench = try RouterBench.ringing([wakeup])
    bench.confirm("speaker")
    bench.wait(300)
    #expect(!bench.read().contains { $0.contains("bedside alert") })
  }

  @Test("When the only audible sink dies while it rings, the fallback has its time from then")
  func audibleDies() throws {
    let wakeup = try route(to: ["speaker"]) {
      $0.fallback = [try step("bedside.buzzer", after: 5)]
    }
    var bench = try RouterBench.ringing([wakeup])
    bench.confirm("speaker")
    bench.wait(60)
    _ = bench.read()
    bench.condition("speaker", .starting)
    bench.wait(4)
    #expect(bench.read() == [])
    bench.wait(1)
    #expect(bench.read() == ["75 bedside alert Tea [\"buzzer\"]"])
    bench.ready("speaker", audible: true)
    #expect(bench.view("speaker") == ["alert Tea"])
    bench.confirm("speaker")
    #expect(bench.receipts("Tea") == ["speaker presented", "bedside pending"])
  }

  @Test("A ring that nobody confirms is reported as critical, to every sink, which all get it")
  func unheard() throws {
    var bench = try RouterBench.ringing([try route(to: ["speaker"])])
    bench.fail("speaker", "no card")
    _ = bench.read()
    bench.wait(5)
    let text = "Tea rings and nobody has confirmed it: speaker failed: no card"
    #expect(
      bench.read() == [
        "15 speaker notice \(text)", "15 popup notice \(text)", "15 bedside notice \(text)",
        "15 popup alert Tea", "15 bedside alert Tea",
      ]
    )
    #expect(bench.router.unheardCount == 1)
    #expect(bench.record.last == "unheard speaker failed: no card")
    #expect(
      bench.log.last
        == "critical an alarm rings and nobody has confirmed it: speaker failed: no card"
    )
    bench.confirm("bedside")
    #expect(bench.router.unheardCount == 0)
  }

  @Test("Where nothing can be heard, being seen is enough; without a wanted sound too")
  func seen() throws {
    var bench = try RouterBench()
    bench.ready("console")
    bench.timer("Tea")
    bench.wait(10)
    bench.confirm("console")
    bench.wait(60)
    #expect(bench.router.unheardCount == 0)
    var other = try RouterBench()
    other.ready("speaker", audible: true)
    other.ready("popup")
    other.timer("Tea") { $0.options.sound = "none" }
    other.wait(10)
    other.confirm("popup")
    other.fail("speaker", "no card")
    other.wait(60)
    #expect(other.router.unheardCount == 0)
  }

  @Test("Steps of the escalation are taken while nobody answers, across snoozes by itself")
  func escalation() throws {
    let wakeup = try route("wakeup", match: "event:alert", to: ["speaker"]) {
      $0.escalate = [try step("popup", after: 180), try step("bedside.buzzer", after: 700)]
    }
    var bench = try RouterBench([wakeup])
    bench.readyBedroom()
    try bench.alarm("A", "2027-06-07T05:00:10Z")
    bench.wait(10)
    bench.confirm("speaker")
    bench.wait(179)
    #expect(!bench.read().contains { $0.contains("popup alert") })
    bench.wait(1)
    #expect(bench.read() == ["190 popup alert A"])
    #expect(
      bench.record.last
        == "escalated popup, because nobody has answered for 3min ([route wakeup])"
    )
    bench.confirm("popup")
    // It rings for ten minutes, snoozes itself for nine, and rings again; 100 s later comes the next.
    bench.wait(420 + 540)
    #expect(
      bench.read().filter { $0.contains("alert A") } == [
        "1150 speaker alert A", "1150 popup alert A",
      ]
    )
    bench.confirm("speaker", "popup")
    bench.wait(100)
    #expect(bench.read().contains("1250 bedside alert A [\"buzzer\"]"))
  }

  @Test("A snooze by hand is an answer: the escalation begins anew")
  func snoozed() throws {
    let wakeup = try route(match: "event:alert", to: ["speaker"]) {
      $0.escalate = [try step("popup", after: 180)]
    }
    var bench = try RouterBench([wakeup])
    bench.readyBedroom()
    try bench.alarm("A", "2027-06-07T05:00:10Z")
    bench.wait(10)
    bench.confirm("speaker")
    bench.wait(90)
    bench.act(.snooze, "A")
    bench.wait(540)
    bench.confirm("speaker")
    bench.wait(179)
    #expect(!bench.read().contains { $0.contains("popup alert") })
    bench.wait(1)
    #expect(bench.read().last == "820 popup alert A")
  }

  @Test("An answer to an alert that was sent again since does not count")
  func stale() throws {
    let wakeup = try route(to: ["bedside.led"]) {
      $0.escalate = [try step("bedside.buzzer", after: 60)]
    }
    var bench = try RouterBench.ringing([wakeup])
    let old = bench.seq(of: "bedside")
    bench.confirm("bedside")
    bench.wait(60)
    #expect(bench.read().last == "70 bedside alert Tea [\"buzzer\", \"led\"]")
    bench.route(.presented(seq: old, by: SinkID("bedside")))
    #expect(bench.receipts("Tea") == ["bedside pending"])
    bench.confirm("bedside")
    #expect(bench.receipts("Tea") == ["bedside presented"])
  }

  @Test(
    "Sinks that start have their time before their silence counts, and no longer than they need"
  )
  func gathering() throws {
    let wakeup = try route(to: ["speaker"]) {
      $0.fallback = [try step("bedside.buzzer", after: 2)]
    }
    var bench = try RouterBench([wakeup])
    bench.condition("speaker", .starting)
    bench.ready(
      "bedside",
      audible: true,
      parts: [.init(name: "buzzer", capabilities: [], audible: true)]
    )
    bench.route(.gather(.seconds(5)))
    bench.timer("Tea", 0.001)
    bench.wait(3)
    #expect(!bench.read().contains { $0.contains("bedside alert") })
    bench.ready("speaker", audible: true)
    #expect(bench.view("speaker") == ["alert Tea"])
    bench.wait(1.9)
    #expect(!bench.read().contains { $0.contains("bedside alert") })
    bench.wait(0.2)
    #expect(bench.read() == ["5 bedside alert Tea [\"buzzer\"]"])
  }

  @Test("Once all sinks are there nothing is due, so an idle machine is not woken")
  func gathered() throws {
    var bench = try RouterBench()
    bench.condition("popup", .starting)
    bench.route(.gather(.seconds(5)))
    #expect(bench.router.deadline != nil)
    bench.ready("popup")
    #expect(bench.router.deadline == nil)
    bench.route(.gather(.seconds(5)))
    #expect(bench.router.deadline == nil)
  }

  @Test("A sink that joins while it rings is asked as well")
  func joins() throws {
    var bench = try RouterBench([try route(to: ["popup"])])
    bench.ready("speaker", audible: true)
    bench.ready("popup")
    bench.timer("Tea")
    bench.wait(10)
    bench.confirm("popup")
    _ = bench.read()
    let joined = SinkID("popup", client: 7)
    let ready = SinkReport.Ready(name: "popup", version: "", capabilities: [], audible: false)
    bench.route(.sink(joined, .ready(ready), timeout: .seconds(5)))
    // It is told with its sync, under the number that the alert has.
    #expect(bench.read() == [])
    #expect(bench.router.view(of: joined, bench.table.presentations).count == 1)
    #expect(bench.receipts("Tea") == ["popup presented", "popup pending"])
    bench.route(.gone(joined))
    #expect(bench.receipts("Tea") == ["popup presented"])
  }

  @Test("What clients that only watch confirm is recorded, up to a limit, and forgotten at the end")
  func guests() throws {
    var bench = try RouterBench()
    bench.ready("popup")
    bench.timer("Tea")
    bench.wait(10)
    let seq = bench.seq(of: "popup")
    for number in 0..<1_000 {
      bench.route(.presented(seq: seq, by: SinkID("watch", client: UInt64(number))))
    }
    #expect(bench.record.count == 64)
    bench.act(.stop, "Tea")
    bench.route(.presented(seq: seq, by: SinkID("popup")))
    #expect(bench.record.count == 64)
    #expect(bench.router.deadline == nil)
  }

  @Test("A part that a sink turns out not to have is not waited for")
  func unknownPart() throws {
    var bench = try RouterBench([try route(to: ["bedside.bell"])])
    bench.condition("bedside", .starting)
    bench.ready("speaker", audible: true)
    bench.timer("Tea")
    bench.wait(10)
    #expect(bench.view("bedside") == ["alert Tea [\"bell\"]"])
    _ = bench.read()
    bench.readyBedroom()
    #expect(bench.read().contains("10 bedside rerouted Tea"))
    bench.wait(5)
    #expect(bench.view("speaker") == ["alert Tea"])
  }
}

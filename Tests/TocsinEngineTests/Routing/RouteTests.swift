import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("Which sinks an alarm goes to")
struct RouteTests {
  @Test("Without routes every sink gets everything, whole")
  func noRoutes() throws {
    var bench = try RouterBench()
    bench.ready("a")
    bench.ready("b")
    bench.timer("Tea")
    bench.wait(10)
    bench.act(.stop, "Tea")
    #expect(
      bench.read() == [
        "0 a countdown Tea", "0 b countdown Tea", "10 a alert Tea", "10 b alert Tea",
        "10 a stopped Tea", "10 b stopped Tea",
      ]
    )
  }

  @Test("A route names who gets the alert; who showed the countdown only withdraws it")
  func countdownMoves() throws {
    var bench = try RouterBench([try route(to: ["speaker", "bedside.led"])])
    bench.readyBedroom()
    bench.timer("Tea")
    bench.wait(10)
    bench.act(.stop, "Tea")
    #expect(
      bench.read() == [
        "0 speaker countdown Tea", "0 popup countdown Tea", "0 bedside countdown Tea",
        "10 speaker alert Tea", "10 bedside alert Tea [\"led\"]", "10 popup rerouted Tea",
        "10 speaker stopped Tea", "10 bedside stopped Tea",
      ]
    )
  }

  @Test("The first route that fits counts, continue looks on, the less restrictive wins")
  func order() throws {
    let quiet = try route("night", match: "event:alert", to: ["speaker"]) {
      $0.quiet = 0.2
      $0.continues = true
    }
    let loud = try route("loud", match: "label:loud", to: ["speaker", "popup"])
    let never = try route("never", match: "event:alert", to: ["bedside"])
    var bench = try RouterBench([quiet, loud, never])
    bench.readyBedroom()
    bench.timer("A", labels: ["loud"])
    bench.wait(10)
    #expect(
      bench.read().filter { $0.hasPrefix("10") && $0.contains("alert") } == [
        "10 speaker alert A", "10 popup alert A",
      ]
    )
    bench.act(.stop, "A")
    bench.timer("B")
    bench.wait(10)
    #expect(
      bench.read().filter { $0.contains("alert B") } == [
        "20 speaker alert B <=0.2", "20 bedside alert B",
      ]
    )
  }

  @Test("Windows of the day are read by the machine's clock and belong to the day they begin on")
  func between() throws {
    let night = try route(to: ["popup"]) {
      $0.between = [TimeWindow(days: [.mon], start: 22 * 3_600, end: 7 * 3_600)]
    }
    // 2027-06-07 is a Monday; the machine is in Berlin, two hours ahead of UTC.
    for (at, isNight) in [
      ("2027-06-07T19:59:50Z", false), ("2027-06-07T20:00:00Z", true),
      ("2027-06-08T04:59:50Z", true), ("2027-06-08T05:00:00Z", false),
      ("2027-06-08T20:00:00Z", false),
    ] {
      var bench = try RouterBench([night], start: "2027-06-07T05:00:00Z")
      bench.readyBedroom()
      try bench.alarm("A", at)
      let due = try #require(Instant(rfc3339: at))
      bench.wait((due - bench.now.wall).seconds)
      let alerts = bench.read().filter { $0.hasSuffix("alert A") }
      #expect(alerts.contains { $0.contains("speaker") } != isNight, "\(at)")
    }
  }

  @Test("Alerts that would reach no sink go to all of them")
  func safety() throws {
    var bench = try RouterBench([try route(to: ["speaker", "nobody"])])
    bench.ready("popup")
    bench.condition("speaker", .failed("there is no tocsin-alsa"))
    bench.timer("Tea")
    bench.wait(10)
    #expect(
      bench.read().filter { $0.hasPrefix("10") } == ["10 popup alert Tea", "10 speaker alert Tea"]
    )
    #expect(bench.log.first == "warning no sink of [route r] is there: all sinks present the alert")
  }

  @Test("What a route drops reaches nobody, and the record says so")
  func drop() throws {
    var bench = try RouterBench([try route(match: "event:alert label:x") { $0.drop = true }])
    bench.ready("popup")
    bench.timer("Tea", labels: ["x"])
    bench.wait(30)
    #expect(bench.read() == ["0 popup countdown Tea", "10 popup rerouted Tea"])
    #expect(bench.record == ["withheld [route r] drops it"])
  }

  @Test("A delay lets some sinks begin later, and not at all if somebody was quicker")
  func delay() throws {
    let first = try route("first", to: ["popup"]) { $0.continues = true }
    let later = try route("later", to: ["speaker"]) { $0.delay = .seconds(20) }
    var bench = try RouterBench([first, later])
    bench.readyBedroom()
    bench.timer("A", 1)
    bench.wait(1)
    bench.confirm("popup")
    bench.wait(20)
    bench.confirm("speaker")
    bench.wait(5)
    #expect(
      bench.read().filter { $0.contains("alert") } == ["1 popup alert A", "21 speaker alert A"]
    )
    bench.act(.stop, "A")
    bench.timer("B", 1)
    bench.wait(5)
    bench.act(.stop, "B")
    bench.wait(60)
    #expect(bench.read().filter { $0.contains("speaker alert B") }.isEmpty)
  }

  @Test("A sink that wants only some events gets no others and is not counted on for them")
  func choosy() throws {
    var bench = try RouterBench()
    bench.ready("popup")
    let log = SinkReport.Ready(
      name: "log",
      version: "",
      capabilities: ["hook"],
      audible: false,
      events: ["cleared"]
    )
    bench.condition("log", .ready(log))
    bench.timer("Tea")
    bench.wait(10)
    bench.confirm("popup")
    #expect(bench.receipts("Tea") == ["popup presented"])
    bench.act(.stop, "Tea")
    #expect(
      bench.read() == [
        "0 popup countdown Tea", "10 popup alert Tea", "10 popup stopped Tea",
        "10 log stopped Tea",
      ]
    )
  }

  @Test("A route for countdowns shows them only where it says")
  func countdownRoute() throws {
    var bench = try RouterBench([try route(match: "event:countdown", to: ["popup"])])
    bench.readyBedroom()
    bench.timer("Tea", 5)
    #expect(bench.view("popup") == ["countdown Tea"])
    #expect(bench.view("speaker") == [])
    bench.wait(5)
    #expect(
      bench.read() == [
        "0 popup countdown Tea", "5 speaker alert Tea", "5 popup alert Tea", "5 bedside alert Tea",
      ]
    )
    bench.act(.snooze, "Tea")
    #expect(
      bench.read() == [
        "5 speaker rerouted Tea", "5 bedside rerouted Tea", "5 popup countdown Tea",
      ]
    )
  }
}

@Suite("What is held back")
struct HoldingBackTests {
  @Test("A silence stops what rings, keeps what follows quiet, and says when it is over")
  func silence() throws {
    var bench = try RouterBench()
    bench.ready("speaker", audible: true)
    bench.timer("A", 10, labels: ["x"])
    bench.wait(10)
    _ = bench.read()
    bench.route(.silence(try RouteMatch("label:x"), for: .seconds(60), source: "cli"))
    #expect(bench.read() == ["10 speaker rerouted A"])
    #expect(bench.router.standing.map(\.match) == ["label:x"])
    #expect(bench.view("speaker") == [])
    bench.timer("B", 10, labels: ["x"])
    bench.timer("C", 10)
    bench.wait(20)
    #expect(bench.read().filter { $0.contains("alert") } == ["20 speaker alert C"])
    bench.wait(40)
    #expect(
      bench.read() == [
        "70 speaker notice The silence of label:x is over", "70 speaker alert A",
        "70 speaker alert B",
      ]
    )
    #expect(bench.router.standing == [])
  }

  @Test("A silence that is taken back lets ring at once")
  func unsilence() throws {
    var bench = try RouterBench()
    bench.ready("speaker", audible: true)
    bench.route(.silence(RouteMatch(), for: .seconds(60), source: "cli"))
    bench.timer("A", 10)
    bench.wait(10)
    bench.route(.unsilence(number: 1))
    #expect(bench.read().last == "10 speaker alert A")
    #expect(bench.router.deadline != nil)
    bench.act(.stop, "A")
    #expect(bench.router.deadline == nil)
  }

  @Test("One alarm holds back another from some sinks while it rings, and lets it ring after")
  func inhibit() throws {
    let low = try route(match: "event:alert label:low") {
      $0.inhibit = [
        .init(
          targets: [try SinkTarget("speaker")],
          subject: RouteMatch(),
          source: try RouteMatch("label:high")
        )
      ]
    }
    var bench = try RouterBench([low])
    bench.ready("speaker", audible: true)
    bench.ready("popup")
    bench.timer("Low", 10, labels: ["low"])
    bench.timer("High", 20, labels: ["high"])
    bench.wait(10)
    bench.confirm("speaker", "popup")
    _ = bench.read()
    bench.wait(10)
    #expect(
      bench.read() == [
        "20 speaker alert High", "20 popup alert High", "20 speaker rerouted Low",
      ]
    )
    #expect(bench.view("speaker") == ["alert High"])
    bench.act(.stop, "High")
    #expect(
      bench.read() == ["20 speaker stopped High", "20 popup stopped High", "20 speaker alert Low"]
    )
  }

  @Test("Two alarms that hold each other back never silence both")
  func mutual() throws {
    let each = try route(match: "event:alert") {
      $0.inhibit = [
        .init(targets: [], subject: RouteMatch(), source: RouteMatch())
      ]
    }
    var bench = try RouterBench([each])
    bench.ready("speaker", audible: true)
    bench.timer("A", 10)
    bench.timer("B", 11)
    bench.wait(15)
    #expect(bench.view("speaker") == ["alert A"])
    bench.act(.stop, "A")
    #expect(bench.view("speaker") == ["alert B"])
  }
}

@Suite("The question where an alarm would go")
struct RouteQuestionTests {
  private func steps(
    _ router: Router,
    _ kind: AlarmKind = .alarm,
    snooze: Int64? = 540_000_000
  ) throws -> [String] {
    let at = try #require(Instant(rfc3339: "2027-06-07T05:00:00Z"))
    let subject = RouteSubject(
      event: .alert,
      kind: kind,
      alarm: AlarmID(high: 0, low: 1),
      title: "A",
      options: AlarmOptions()
    )
    return router.steps(for: subject, at: at, zone: nil, ringFor: 600_000_000, snooze: snooze).map {
      let limit = $0.volumeLimit.map { " <=\($0)" } ?? ""
      return "+\(($0.at - at).components.seconds) \($0.kind.rawValue) "
        + $0.sinks.joined(separator: "+") + limit
    }
  }

  @Test("Delays, caps and steps come in the order of their times")
  func order() throws {
    let quiet = try route("quiet", to: ["speaker", "popup"]) {
      $0.quiet = 0.3
      $0.continues = true
    }
    let later = try route("later", to: ["bedside.led"]) {
      $0.delay = .seconds(20)
      $0.fallback = [try step("bedside.buzzer", after: 25)]
      $0.escalate = [Route.Step(targets: [], after: .seconds(120))]
    }
    var bench = try RouterBench([quiet, later])
    bench.readyBedroom()
    #expect(
      try steps(bench.router) == [
        "+0 alert speaker+popup <=0.3", "+20 alert bedside.led", "+25 fallback bedside.buzzer",
        "+30 report speaker+popup+bedside", "+120 escalate speaker+popup+bedside", "+600 snooze ",
      ]
    )
    #expect(try steps(bench.router, .timer).last == "+600 missed ")
    #expect(try steps(bench.router, snooze: nil).last == "+600 missed ")
  }

  @Test("What does not run is named, and what is held back says by what")
  func reasons() throws {
    var bench = try RouterBench([try route(to: ["speaker"])])
    bench.ready("popup")
    bench.condition("speaker", .failed("there is no tocsin-alsa"))
    let at = bench.now.wall
    let subject = RouteSubject(
      event: .alert,
      kind: .timer,
      alarm: AlarmID(high: 0, low: 1),
      title: "A",
      options: AlarmOptions()
    )
    let step = try #require(
      bench.router.steps(for: subject, at: at, zone: nil, ringFor: 0, snooze: nil).first
    )
    #expect(step.sinks == ["popup", "speaker"])
    #expect(step.why.contains("no sink of it is there, so all present it"))
    #expect(step.why.contains("speaker does not run: there is no tocsin-alsa"))
    bench.route(.silence(RouteMatch(), for: .seconds(60), source: "cli"))
    let held = bench.router.steps(for: subject, at: at, zone: nil, ringFor: 0, snooze: nil)
    #expect(held.map(\.kind) == [.withheld])
    #expect(held[0].why == "silenced by cli: all, until 2027-06-07T05:01:00.000Z")
  }
}

import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// Sinks, routes, alarms and silences at random: whatever happens, what is promised holds.
@Suite("Whatever happens to sinks and alarms")
struct RandomRouterTests {
  @Test("each sink shows what the router thinks, and no alert is without one", arguments: 1...40)
  func random(seed: UInt64) throws {
    var dice = SeededGenerator(state: seed)
    var bench = try RouterBench(try Self.routes(&dice))
    bench.readyBedroom()
    for step in 0..<300 {
      Self.attach(&bench, &dice)
      if dice.next() % 8 == 0 { bench.confirm("kitchen view") }
      if dice.next() % 16 == 0 { bench.fail("pills view", "closed") }
      try Self.happen(&bench, &dice)
      try Self.check(bench, "seed \(seed), step \(step)")
    }
    for number in 0..<6 { bench.act(.cancel, "\(number)") }
    bench.route(.unsilence(number: nil))
    let left = bench.shown.values.flatMap(\.values)
    #expect(left == [], "seed \(seed)")
    #expect(bench.router.deadline == nil && bench.router.unheardCount == 0, "seed \(seed)")
  }

  @Test("what programs draw themselves changes nothing for anybody else", arguments: 1...20)
  func views(seed: UInt64) throws {
    var dice = SeededGenerator(state: seed)
    let routes = try Self.routes(&dice)
    var with = try RouterBench(routes)
    var without = try RouterBench(routes)
    with.readyBedroom()
    without.readyBedroom()
    var others = SeededGenerator(state: seed &+ 1_000)
    for step in 0..<300 {
      Self.attach(&with, &others)
      var same = dice
      try Self.happen(&with, &dice)
      try Self.happen(&without, &same)
      try Self.check(with, "seed \(seed), step \(step)")
      for name in Self.sinks {
        let shown = [with, without].map { bench in
          (bench.shown[SinkID(name)] ?? [:]).values.map(bench.describe).sorted()
        }
        try #require(shown[0] == shown[1], "seed \(seed), step \(step), \(name)")
      }
      #expect(with.router.unheardCount == without.router.unheardCount, "seed \(seed), step \(step)")
    }
  }

  private static let programs = ["kitchen", "pills"]

  /// Programs' own sinks come and go; they confirm nothing.
  private static func attach(_ bench: inout RouterBench, _ dice: inout SeededGenerator) {
    guard let program = programs.randomElement(using: &dice) else { return }
    switch dice.next() % 8 {
    case 0: bench.view("\(program) view", of: program)
    case 1: bench.route(.gone(SinkID("\(program) view")))
    default: break
    }
  }

  private static let sinks = ["speaker", "popup", "bedside"]
  private static let labels = ["x", "y", "z"]

  private static func routes(_ dice: inout SeededGenerator) throws -> [Route] {
    let targets = ["speaker", "popup", "bedside", "bedside.led", "bedside.buzzer", "nobody"]
    var routes: [Route] = []
    for number in 0..<Int.random(in: 0...3, using: &dice) {
      let matches = ["event:alert", "all", "label:x", "event:countdown", "kind:timer label:y"]
      let match = matches.randomElement(using: &dice) ?? "all"
      let to = Bool.random(using: &dice) ? [targets.randomElement(using: &dice) ?? "popup"] : nil
      routes.append(
        try route("r\(number)", match: match, to: to) { route in
          route.continues = Bool.random(using: &dice)
          if dice.next() % 4 == 0 { route.quiet = 0.3 }
          if dice.next() % 4 == 0 { route.delay = .seconds(7) }
          if dice.next() % 8 == 0 { route.drop = true }
          if dice.next() % 2 == 0 { route.fallback = [try step("bedside.buzzer", after: 5)] }
          if dice.next() % 2 == 0 {
            route.escalate = [try step("popup", after: 60), try step("speaker", after: 120)]
          }
          if dice.next() % 3 == 0 {
            route.inhibit = [
              .init(
                targets: Bool.random(using: &dice) ? [] : [try SinkTarget("speaker")],
                subject: RouteMatch(),
                source: try RouteMatch("label:z")
              )
            ]
          }
        }
      )
    }
    return routes
  }

  private static func happen(_ bench: inout RouterBench, _ dice: inout SeededGenerator) throws {
    let sink = sinks.randomElement(using: &dice) ?? "popup"
    let title = "\(Int.random(in: 0..<6, using: &dice))"
    switch dice.next() % 14 {
    case 0, 1, 2:
      let labels = labels.filter { _ in Bool.random(using: &dice) }
      // Each program has a third of the alarms.
      let owners: [String?] = programs + [nil]
      let owner = owners[(Int(title) ?? 0) % 3]
      bench.timer(title, Double.random(in: 1...30, using: &dice), labels: labels) {
        $0.options.application = owner
      }
    case 3: bench.act(.stop, title)
    case 4: bench.act(.snooze, title)
    case 5: bench.act(.pause, title)
    case 6: bench.act(.resume, title)
    case 7: bench.confirm(sink)
    case 8: bench.fail(sink, "broken")
    case 9: bench.condition(sink, dice.next() % 2 == 0 ? .starting : .failed("gone"))
    case 10:
      bench.readyBedroom()
      if dice.next() % 2 == 0 { bench.route(.gone(SinkID(sink))) }
    case 11:
      let match = try RouteMatch("label:" + (labels.randomElement(using: &dice) ?? "x"))
      bench.route(.silence(match, for: .seconds(20), source: "test"))
    case 12: bench.route(.unsilence(number: nil))
    default: bench.wait(Double.random(in: 0.1...40, using: &dice))
    }
  }

  private static func check(_ bench: RouterBench, _ place: Comment) throws {
    let presentations = bench.table.presentations
    for (sink, shown) in bench.shown {
      let view = bench.router.view(of: sink, presentations)
      // Only what differs, and no more of the run: the rest would follow from it.
      let missing = view.filter { shown[$0.occurrence] != $0 }.map(bench.describe)
      let surplus = shown.values.filter { !view.contains($0) }.map(bench.describe)
      try #require(missing == [] && surplus == [], "\(place) \(sink) \(missing) \(surplus)")
    }
    for (sink, scope) in bench.scopes {
      let shown = bench.shown[SinkID(sink)] ?? [:]
      #expect(shown.values.allSatisfy { $0.options.application == scope }, place)
    }
    for ring in bench.router.rings {
      // Who confirms an alarm is who was asked, and that is no program but its own.
      let scopes = ring.deliveries.compactMap { bench.router.sinks[$0.sink]?.scope }
      #expect(scopes.allSatisfy { $0 == ring.subject.application }, place)
      let isHeldBack = ring.withheld != nil || !ring.heldBack.isEmpty
      // Some sink presents it, or will when its delay is over, unless there is none.
      let isPresented = !ring.deliveries.isEmpty || !ring.delayed.isEmpty
      #expect(isHeldBack || isPresented || bench.router.order.isEmpty, place)
      for delivery in ring.deliveries {
        let said = bench.router.sinks[delivery.sink]?.isAudible(delivery.share.parts)
        #expect(delivery.mayBeHeard == said ?? true, place)
      }
      if ring.withheld == nil, !ring.isConfirmed, !ring.isReported {
        #expect(bench.router.deadline != nil, place)
      }
    }
    #expect(Set(bench.router.owners.keys).isSubset(of: presentations.map(\.occurrence)), place)
    #expect(bench.router.rings.count == presentations.count { $0.state == .alerting }, place)
    if presentations.isEmpty, bench.router.silences.isEmpty {
      #expect(bench.router.deadline == nil, place)
    }
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// The engine and the router on virtual clocks, with sinks that answer when the test says so.
struct RouterBench {
  private(set) var table: AlarmTable
  private(set) var router: Router
  private(set) var now: Now
  /// What sinks were sent since this was last read: `10 speaker alert Tea [buzzer] <=0.3`.
  private var sent: [String] = []
  private(set) var history: [HistoryEntry] = []
  private(set) var log: [String] = []
  private(set) var published: [SinkMessage] = []
  private var lastSeq: [SinkID: UInt64] = [:]
  /// What each sink that is ready shows, by what it was sent.
  private(set) var shown: [SinkID: [OccurrenceID: Presentation]] = [:]
  private var ids: [String: AlarmID] = [:]
  /// The programs whose own sinks these are.
  var scopes: [String: String] = [:]

  init(_ routes: [Route] = [], start: String = "2027-06-07T05:00:00Z") throws {
    let zones = ZoneFiles()
    table = AlarmTable(
      rules: EngineRules(),
      zones: Zones(local: zones.zone("Europe/Berlin"), named: { zones.zone($0) })
    )
    router = Router(routes: routes)
    now = Now(wall: try #require(Instant(rfc3339: start)), boot: 0)
    _ = table.handle(.started, now: now)
  }

  /// A bedroom in which the timer Tea has rung for no time yet, after 10 s.
  static func ringing(_ routes: [Route]) throws -> RouterBench {
    var bench = try RouterBench(routes)
    bench.readyBedroom()
    bench.timer("Tea")
    bench.wait(10)
    return bench
  }

  /// What was sent; the next call sees only what follows.
  mutating func read() -> [String] {
    defer { sent = [] }
    return sent
  }

  // MARK: Sinks

  mutating func ready(
    _ name: String,
    audible: Bool = false,
    parts: [SinkReport.Ready.Part]? = nil
  ) {
    let ready = SinkReport.Ready(
      name: name,
      version: "1",
      capabilities: [],
      audible: audible,
      parts: parts
    )
    condition(name, .ready(ready))
  }

  mutating func condition(_ name: String, _ condition: SinkCondition) {
    route(.sink(SinkID(name), condition, timeout: .seconds(5), scope: scopes[name]))
  }

  /// A program's own sink joins.
  mutating func view(_ name: String, of application: String, audible: Bool = false) {
    scopes[name] = application
    ready(name, audible: audible)
  }

  /// A speaker, a pop-up and a bedside lamp with a buzzer.
  mutating func readyBedroom() {
    ready("speaker", audible: true)
    ready("popup")
    ready(
      "bedside",
      audible: true,
      parts: [
        .init(name: "led", capabilities: ["light"], audible: false),
        .init(name: "buzzer", capabilities: ["sound"], audible: true),
      ]
    )
  }

  /// The sink confirms the newest thing it was sent.
  mutating func confirm(_ names: String...) {
    for name in names {
      route(.presented(seq: lastSeq[SinkID(name)] ?? 0, by: SinkID(name)))
    }
  }

  mutating func fail(_ name: String, _ reason: String) {
    route(.failed(seq: lastSeq[SinkID(name)] ?? 0, by: SinkID(name), reason: reason))
  }

  mutating func seq(of name: String) -> UInt64 { lastSeq[SinkID(name)] ?? 0 }

  // MARK: Alarms

  mutating func timer(
    _ title: String,
    _ seconds: Double = 10,
    labels: [String]? = nil,
    _ change: (inout Alarm) -> Void = { _ in }
  ) {
    var alarm = Alarm(
      id: id(title),
      title: title,
      schedule: nil,
      countdown: CountdownDuration(preAlert: seconds)
    )
    alarm.options.labels = labels
    change(&alarm)
    happen(.schedule(alarm, source: "test"))
  }

  mutating func alarm(_ title: String, _ instant: String) throws {
    let due = try #require(Instant(rfc3339: instant))
    happen(.schedule(Alarm(id: id(title), title: title, schedule: .fixed(due)), source: "test"))
  }

  mutating func act(_ action: AlarmAction, _ title: String) {
    happen(.intent(Intent(action, .named(id(title).description)), source: "test"))
  }

  mutating func id(_ title: String) -> AlarmID {
    if let id = ids[title] { return id }
    let id = AlarmID(high: 0, low: UInt64(ids.count + 1))
    ids[title] = id
    return id
  }

  mutating func receipts(_ title: String) -> [String] {
    let occurrence = table.status(id(title))?.occurrence
    return (occurrence.flatMap { router.receipts(of: $0) } ?? []).map {
      "\($0.sink) \($0.result.rawValue)" + ($0.detail.map { ": \($0)" } ?? "")
    }
  }

  /// The events of the record without their times, of those kinds that the router writes.
  var record: [String] {
    let kinds: Set<HistoryEntry.Event> = [
      .presented, .failed, .timedOut, .withheld, .fallback, .escalated, .unheard,
    ]
    return history.filter { kinds.contains($0.event) }.map {
      [$0.event.rawValue, $0.source, $0.detail].compactMap(\.self).joined(separator: " ")
    }
  }

  mutating func view(_ name: String) -> [String] {
    router.view(of: SinkID(name), table.presentations).map(describe)
  }

  // MARK: Time

  mutating func wait(_ seconds: Double) {
    let target = now.boot + Int64(seconds * 1_000_000)
    while let next = nextDeadline, next <= target {
      move(to: max(next, now.boot))
      happen(.tick)
      route(.tick)
    }
    move(to: target)
  }

  private var nextDeadline: BootTime? {
    let deadlines = table.deadlines(now: now)
    let wall = deadlines.wall.map { now.boot + $0.microseconds - now.wall.microseconds }
    return [wall, deadlines.boot, router.deadline].compactMap(\.self).min()
  }

  private mutating func move(to boot: BootTime) {
    now.wall = now.wall.advanced(byMicroseconds: boot - now.boot)
    now.boot = boot
  }

  mutating func happen(_ event: EngineEvent) {
    for effect in table.handle(event, now: now) {
      switch effect {
      case .present(let presentation): route(.present(presentation))
      case .clear(let cleared): route(.clear(cleared))
      case .record(let entry): history.append(entry)
      case .miss(let missed, let subject): route(.miss(missed, subject))
      case .secondary, .save, .delete, .accept, .reject, .owe: break
      }
    }
  }

  mutating func route(_ event: RouterEvent) {
    var early: Presentation?
    if case .present(let presentation) = event, router.goesToAll(presentation) {
      early = presentation
    }
    for effect in router.handle(event, now: now, table: &table) {
      switch effect {
      case .send(let message, let ids):
        for id in ids { send(message, to: id) }
      case .publish(let message): published.append(message)
      case .record(let entry): history.append(entry)
      case .log(let level, let text): log.append("\(level.rawValue) \(text)")
      }
    }
    if let early { expectedByAll(early) }
    switch event {
    // It is told all there is, in place of what it showed.
    case .sink(let id, .ready, _, _):
      let view = router.view(of: id, table.presentations)
      shown[id] = Dictionary(view.map { ($0.occurrence, $0) }) { _, newer in newer }
    case .sink(let id, _, _, _), .gone(let id): shown[id] = nil
    default: break
    }
  }

  /// What may be sent early has to be what every sink is asked for then.
  private func expectedByAll(_ presentation: Presentation) {
    for id in router.order where shown[id] != nil {
      #expect(shown[id]?[presentation.occurrence] == presentation)
    }
  }

  private mutating func send(_ message: SinkMessage, to id: SinkID) {
    let what: String
    switch message {
    case .present(let presentation):
      lastSeq[id] = presentation.seq
      shown[id]?[presentation.occurrence] = presentation
      what = describe(presentation)
    case .cleared(let cleared):
      lastSeq[id] = cleared.seq
      shown[id]?[cleared.occurrence] = nil
      what = "\(cleared.reason.rawValue) \(cleared.title)"
    case .missed(let missed): what = "missed \(missed.title)"
    case .notice(let notice): what = "notice \(notice.text)"
    default: what = "\(message)"
    }
    sent.append("\(now.boot / 1_000_000) \(id.name) \(what)")
  }

  func describe(_ presentation: Presentation) -> String {
    let state = presentation.state == .alerting ? "alert" : presentation.state.rawValue
    let parts = presentation.parts.map { " \($0)" } ?? ""
    let limit = presentation.volumeLimit.map { " <=\($0)" } ?? ""
    return "\(state) \(presentation.title)\(parts)\(limit)"
  }
}

/// Routes as a test writes them.
func route(
  _ name: String = "r",
  match: String = "event:alert",
  to: [String]? = nil,
  _ change: (inout Route) throws -> Void = { _ in }
) throws -> Route {
  var route = Route(name: name)
  route.match = try RouteMatch(match)
  route.to = try to.map { try $0.map { try SinkTarget($0) } }
  try change(&route)
  return route
}

func step(_ targets: String..., after seconds: Int) throws -> Route.Step {
  Route.Step(targets: try targets.map { try SinkTarget($0) }, after: .seconds(seconds))
}

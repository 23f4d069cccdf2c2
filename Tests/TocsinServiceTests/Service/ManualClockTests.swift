import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

@Suite("A service on clocks moved by hand", .timeLimit(.minutes(10)))
struct ManualClockTests {
  private static let start = Instant(seconds: 2_214_216_000)  // 2040-03-01T12:00:00Z

  private func service(
    _ store: Store.Location = .memory,
    clocks: ManualClocks = ManualClocks(wall: start),
    _ change: (inout ServiceOptions) -> Void = { _ in }
  ) throws -> EmbeddedService {
    var options = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    options.clocks = clocks
    options.store = store
    options.log = Log { _, _ in }
    change(&options)
    return try EmbeddedService(options)
  }

  /// The types of the events up to one of the given type, and that event.
  private func events(_ wire: Wire, upTo type: String) -> (types: [String], last: [String: Any]) {
    var types: [String] = []
    while true {
      let event = wire.object()
      types.append(event["type"] as? String ?? "end")
      if types.last == type || types.last == "end" { return (types, event) }
    }
  }

  @Test("lives through a day at once, from deadline to deadline")
  func day() throws {
    let clocks = ManualClocks(wall: Self.start)
    let service = try service(clocks: clocks)
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    let alarm: [String: Any] = [
      "id": id(1), "title": "Wake up", "ringFor": 60, "autoSnooze": 1,
      "schedule": ["time": "07:00", "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]],
    ]
    #expect(wire.ask("schedule", ["alarm": alarm])["type"] as? String == "ok")
    service.advance(by: .seconds(24 * 3_600))
    // 19 hours on: it rings for a minute, snoozes itself for nine, rings, and is missed.
    let rung = events(wire, upTo: "alert")
    #expect(rung.last["fired"] as? String == "2040-03-02T07:00:00.000Z")
    #expect(rung.last["late"] as? Double == 0)
    let snoozed = events(wire, upTo: "countdown")
    let countdown = snoozed.last["countdown"] as? [String: Any]
    #expect(countdown?["start"] as? String == "2040-03-02T07:01:00.000Z")
    #expect(events(wire, upTo: "alert").last["fired"] as? String == "2040-03-02T07:10:00.000Z")
    #expect(events(wire, upTo: "missed").types.last == "missed")
    #expect(clocks.wallNow() == Self.start + .seconds(24 * 3_600))
    #expect(clocks.bootNow() == 24 * 3_600 * 1_000_000)
    service.stop()
  }

  @Test("arms no timer of the machine, however soon something is due")
  func noTimers() throws {
    var options = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    options.clocks = ManualClocks(wall: Self.start)
    options.log = Log { _, _ in }
    let reactor = try Reactor()
    let service = try AlarmService(options: options, reactor: reactor)
    try service.assumeIsolated { service in
      try service.start()
      let alarm = Alarm(
        id: AlarmID(high: 1, low: 1),
        title: "Tea",
        countdown: CountdownDuration(preAlert: 0.001)
      )
      service.run(.schedule(alarm, source: "test"))
      #expect(service.table.deadlines(now: service.now).boot != nil)
      #expect(reactor.bootDeadline == nil && reactor.wallDeadline == nil)
      service.stop()
    }
    try reactor.run()
  }

  @Test("goes to an instant, and not back")
  func instant() throws {
    let clocks = ManualClocks(wall: Self.start)
    let service = try service(clocks: clocks)
    service.advance(to: Self.start + .seconds(90))
    #expect(clocks.wallNow() == Self.start + .seconds(90))
    service.advance(to: Self.start)
    service.advance(by: .seconds(-5))
    #expect(clocks.wallNow() == Self.start + .seconds(90) && clocks.bootNow() == 90_000_000)
    service.stop()
    // Nobody is there any more, so nothing happens and nobody waits.
    service.advance(by: .seconds(5))
    #expect(clocks.bootNow() == 90_000_000)
    close(service.connection)
  }

  @Test("tells the sinks of a step of the wall clock; a countdown keeps its length")
  func step() throws {
    let service = try service()
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    wire.ask("schedule", timerKeys(1, seconds: 600))
    service.step(by: .seconds(3_600))
    let moved = events(wire, upTo: "countdown").last["countdown"] as? [String: Any]
    #expect(moved?["fire"] as? String == "2040-03-01T13:10:00.000Z")
    service.advance(by: .seconds(599))
    #expect((wire.ask("status")["status"] as? [String: Any])?["alerting"] as? Int == 0)
    service.advance(by: .seconds(1))
    #expect(events(wire, upTo: "alert").last["fired"] as? String == "2040-03-01T13:10:00.000Z")
    service.stop()
  }

  @Test("moves alarms with the zone, and knows a zone that is none")
  func zone() throws {
    let service = try service()
    let wire = Wire(service.connection)
    let alarm: [String: Any] = [
      "id": id(1), "title": "Noon", "schedule": ["time": "18:00", "days": ["mon", "thu"]],
    ]
    wire.ask("schedule", ["alarm": alarm])
    try service.setZone("America/New_York")
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(status?["zone"] as? String == "America/New_York")
    #expect(status?["next"] as? String == "2040-03-01T23:00:00.000Z")
    #expect(throws: ZoneError.self) { try service.setZone("Nowhere/Else") }
    #expect(
      (wire.ask("status")["status"] as? [String: Any])?["zone"] as? String == "America/New_York"
    )
    service.stop()
  }

  @Test("waits for a sink's answer before time goes on")
  func answers() throws {
    let service = try service()
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    wire.write(#"{"type":"ready","name":"recorder","audible":true}"# + "\n")
    wire.ask("schedule", timerKeys(1, seconds: 60))
    let waited = DispatchSemaphore(value: 0)
    let passing = Thread {
      service.advance(by: .seconds(300))
      waited.signal()
    }
    passing.start()
    // Five minutes pass, and an answer may take five seconds: it counts all the same.
    let alert = events(wire, upTo: "alert").last
    wire.write(#"{"type":"presented","seq":\#(alert["seq"] ?? 0)}"# + "\n")
    waited.wait()
    let history = wire.ask("status")
    #expect((history["status"] as? [String: Any])?["unheard"] == nil)
    wire.write(Wire.request("history", id: "h"))
    let lines = wire.answer("h").compactMap { ($0["entry"] as? [String: Any])?["event"] as? String }
    #expect(lines.contains("presented") && !lines.contains("timedOut"))
    service.stop()
  }

  @Test("does not wait for ever for a sink that says nothing")
  func silentSink() throws {
    let service = try service { $0.answerPatience = .milliseconds(1) }
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    wire.write(#"{"type":"ready","name":"mute","audible":true}"# + "\n")
    wire.ask("schedule", timerKeys(1, seconds: 60))
    service.advance(by: .seconds(300))
    wire.write(Wire.request("history", id: "h"))
    let lines = wire.answer("h").compactMap { ($0["entry"] as? [String: Any])?["event"] as? String }
    #expect(lines.contains("timedOut") && lines.contains("unheard"))
    service.stop()
  }

  @Test("lets nobody wait for time that stands still, because it was stopped")
  func stoppedOnTheWay() throws {
    // Longer than the test may take: only the end frees whoever waits.
    let service = try service { $0.answerPatience = .seconds(3_600) }
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    wire.write(#"{"type":"ready","name":"mute","audible":true}"# + "\n")
    wire.ask("schedule", timerKeys(1, seconds: 60))
    let waited = DispatchSemaphore(value: 0)
    for seconds in [300, 600] {
      Thread {
        service.advance(by: .seconds(seconds))
        waited.signal()
      }.start()
    }
    #expect(events(wire, upTo: "alert").types.last == "alert")
    service.stop()
    waited.wait()
    waited.wait()
  }

  @Test("goes on when a sink that owes an answer leaves")
  func sinkLeaves() throws {
    let service = try service { $0.answerPatience = .seconds(3_600) }
    let person = Wire(service.connection)
    var sink: Wire? = Wire(try service.connect())
    sink?.ask("subscribe")
    sink?.write(#"{"type":"ready","name":"mute","audible":true}"# + "\n")
    sink?.ask("status")
    person.ask("schedule", timerKeys(1, seconds: 60))
    let waited = DispatchSemaphore(value: 0)
    Thread {
      service.advance(by: .seconds(300))
      waited.signal()
    }.start()
    if let sink { #expect(events(sink, upTo: "alert").types.last == "alert") }
    sink = nil
    waited.wait()
    #expect((person.ask("status")["status"] as? [String: Any])?["alerting"] as? Int == 1)
    service.stop()
  }

  @Test("goes on after a restart where its clocks stand")
  func restart() throws {
    let shelf = Shelf()
    let clocks = ManualClocks(wall: Self.start)
    let first = try service(.file(shelf.path), clocks: clocks)
    let wire = Wire(first.connection)
    wire.ask("schedule", timerKeys(1, seconds: 600))
    first.advance(by: .seconds(200))
    first.stop()
    let second = try service(.file(shelf.path), clocks: clocks)
    let other = Wire(second.connection)
    other.ask("subscribe")
    second.advance(by: .seconds(400))
    #expect(events(other, upTo: "alert").last["fired"] as? String == "2040-03-01T12:10:00.000Z")
    second.stop()
  }

  @Test("serves each connection that is asked for, from any thread, until it was stopped")
  func connections() throws {
    let service = try service()
    let first = Wire(service.connection)
    first.ask("schedule", timerKeys(1))
    let wires = Lock<[Int32]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      guard let end = try? service.connect() else { return }
      wires.withLock { $0.append(end) }
    }
    let ends = wires.withLock { $0 }
    #expect(ends.count == 8)
    for end in ends {
      let wire = Wire(end)
      wire.write(Wire.request("list"))
      #expect(titles(wire.answer("q")) == ["Tea"])
    }
    let last = Wire(try service.connect())
    service.stop()
    #expect(last.line() == nil)
    #expect(throws: ServiceStartError.self) { _ = try service.connect() }
  }

  @Test("says in its status that it is inside a program")
  func status() throws {
    let service = try service()
    let wire = Wire(service.connection)
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(status?["embedded"] as? Bool == true)
    service.stop()
    let daemon = try RunningService()
    let other = daemon.connect().ask("status")["status"] as? [String: Any]
    #expect(other != nil && other?["embedded"] == nil)
  }
}

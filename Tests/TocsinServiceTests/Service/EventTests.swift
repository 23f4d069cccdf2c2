import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

/// What an event is about, in short.
private func short(_ event: [String: Any]) -> String {
  let title = (event["title"] as? String)?.prefix(4) ?? ""
  return "\(event["type"] ?? "end") \(title)"
}

@Suite("The service, followed by clients,", .timeLimit(.minutes(10)))
struct ServiceEventTests {
  @Test("sends what is presented first, and then every event in its order")
  func order() throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.ask("schedule", timerKeys(1))
    let subscribers = [running.connect(), running.connect()]
    for subscriber in subscribers { subscriber.write(Wire.request("subscribe")) }
    for subscriber in subscribers {
      #expect(subscriber.object()["type"] as? String == "ok")
      let sync = subscriber.object()
      #expect(sync["type"] as? String == "sync")
      #expect((sync["presentations"] as? [[String: Any]])?.count == 1)
    }
    wire.ask("schedule", timerKeys(2, seconds: 60, title: "Eggs"))
    wire.ask("pause", ["alarm": "Tea"])
    wire.ask("resume", ["alarm": "Tea"])
    running.pass(.seconds(60))
    wire.ask("stop", ["target": "alerting"])
    for subscriber in subscribers {
      let events = (0..<5).map { _ in subscriber.object() }
      #expect(
        events.map(short) == [
          "countdown Eggs", "paused Tea", "countdown Tea", "alert Eggs", "cleared Eggs",
        ]
      )
      let numbers = events.compactMap { $0["seq"] as? Int }
      #expect(numbers == numbers.sorted() && Set(numbers).count == 5)
    }
  }

  @Test("sends more than fits into a line or may pile up, and nothing that is over by then")
  func bigSync() throws {
    let running = try RunningService()
    let title = String(repeating: "x", count: 16_000)
    running.on { service in
      for number in 0..<150 {
        let alarm = Alarm(
          id: AlarmID(high: 0x10, low: UInt64(number)),
          title: "\(number) " + title,
          countdown: CountdownDuration(preAlert: 600)
        )
        service.run(.schedule(alarm, source: "test"))
      }
    }
    let subscriber = running.connect()
    let wire = running.connect()
    subscriber.write(Wire.request("subscribe"))
    #expect(wire.ask("cancel", ["alarm": id(149)])["type"] as? String == "ok")
    #expect(subscriber.object()["type"] as? String == "ok")
    var shown: Set<String> = []
    let sync = subscriber.object()["presentations"] as? [[String: Any]]
    for presentation in sync ?? [] { shown.insert(presentation["alarm"] as? String ?? "") }
    #expect(!shown.isEmpty)
    var isCleared = false
    while shown.count < 149 || !isCleared {
      let event = subscriber.object()
      let alarm = event["alarm"] as? String ?? ""
      if event["type"] as? String == "cleared" {
        #expect(alarm == id(149))
        isCleared = true
        shown.remove(alarm)
      } else {
        #expect(!(isCleared && alarm == id(149)))
        shown.insert(alarm)
      }
      guard !event.isEmpty else { break }
    }
    #expect(shown == Set((0..<149).map(id)))
    // Nothing is left behind that would be sent now.
    wire.ask("schedule", timerKeys(500, title: "Last"))
    #expect(short(subscriber.object()) == "countdown Last")
  }

  @Test("records what sinks confirm, once each, and by the name they gave")
  func receipts() throws {
    let running = try RunningService()
    let sink = running.connect()
    sink.ask("subscribe")
    #expect(sink.object()["type"] as? String == "sync")
    sink.write(#"{"type":"ready","name":"lamp","version":"1","capabilities":["light"]}"# + "\n")
    sink.write(Wire.request("schedule", timerKeys(1, seconds: 60)))
    #expect(sink.answer("q").count == 2)
    running.pass(.seconds(60))
    var event = sink.object()
    while event["type"] as? String != "alert" {
      #expect(!event.isEmpty)
      if event.isEmpty { return }
      event = sink.object()
    }
    let seq = event["seq"] as? Int ?? 0
    let failed = #"{"type":"failed","seq":\#(seq),"reason":"no bulb","retry":true}"# + "\n"
    let presented = #"{"type":"presented","seq":\#(seq)}"# + "\n"
    sink.write(failed + failed + presented + presented)
    sink.write(#"{"type":"presented","seq":\#(seq + 77)}"# + "\n")
    let statuses = try #require(sink.sinks())
    #expect(statuses.map { $0["sink"] as? String } == ["lamp"])
    #expect(statuses.map { $0["state"] as? String } == ["attached"])
    let occurrence = event["occurrence"] as? String ?? ""
    let intent = #"{"type":"intent","action":"stop","occurrence":"\#(occurrence)"}"# + "\n"
    sink.write(intent)
    let cleared = sink.object()
    #expect(cleared["type"] as? String == "cleared" && cleared["source"] as? String == "lamp")
    // Too late, and already said.
    sink.write(presented + intent)
    sink.write(Wire.request("history"))
    let entries = sink.answer("q").compactMap { $0["entry"] as? [String: Any] }
    #expect(
      entries.map { $0["event"] as? String } == [
        "stopped", "presented", "failed", "fired", "scheduled",
      ]
    )
    #expect(entries.prefix(3).allSatisfy { $0["source"] as? String == "lamp" })
    #expect(entries[2]["detail"] as? String == "no bulb")
    #expect(running.on { $0.router.deadline } == nil)
  }

  @Test("tells of alarms that rang late or not at all after it was down")
  func restart() throws {
    let shelf = Shelf()
    let clocks = HandClocks()
    let first = try RunningService(.file(shelf.path), clocks: clocks)
    let wire = first.connect()
    wire.ask("schedule", timerKeys(1, seconds: 60))
    wire.ask("schedule", timerKeys(2, seconds: 4_000, title: "Eggs"))
    first.end()
    clocks.pass(.seconds(4_000))
    let second = try RunningService(.file(shelf.path), clocks: clocks)
    let status = second.connect().ask("status")["status"] as? [String: Any]
    #expect(status?["alerting"] as? Int == 1)
    second.connect().write(Wire.request("history", ["events": ["missed"]]))
    let asker = second.connect()
    asker.write(Wire.request("history", ["events": ["missed"]]))
    let entries = asker.answer("q").compactMap { $0["entry"] as? [String: Any] }
    #expect(entries.map { $0["title"] as? String } == ["Tea"])
  }

  @Test("forgets history that is too old, but not by a clock that may be wrong")
  func prune() throws {
    for isTrusted in [true, false] {
      let running = try RunningService {
        $0.clockTrust = { ClockTrust(isSynchronised: isTrusted, hasBatteryClock: false) }
      }
      let wire = running.connect()
      wire.ask("schedule", timerKeys(1))
      wire.ask("cancel", ["alarm": id(1)])
      running.clocks.pass(.seconds(100 * 86_400))
      wire.ask("schedule", timerKeys(2))
      #expect(wire.ask("history")["count"] as? Int == (isTrusted ? 1 : 3), "\(running.log.all)")
    }
  }
}

extension Wire {
  func sinks() -> [[String: Any]]? {
    write(Wire.request("sinks"))
    return answer("q").compactMap { $0["sink"] as? [String: Any] }
  }
}

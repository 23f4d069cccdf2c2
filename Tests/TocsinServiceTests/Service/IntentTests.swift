import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

/// A program's timer with an intent for each answer.
private func reminderKeys(
  _ number: Int,
  seconds: Double = 60,
  behavior: String = "countdown"
) -> [String: Any] {
  [
    "alarm": [
      "id": id(number), "title": "Pill", "countdown": ["preAlert": seconds],
      "buttons": [["role": "secondary", "text": "Later", "behavior": behavior]],
      "intents": [
        "stop": ["type": "Taken", "parameters": ["dose": 2]], "secondary": ["type": "Later"],
      ],
    ] as [String: Any]
  ]
}

extension JoinedProgram {
  /// The next intent it is to run; events before it are passed over, empty at the end.
  fileprivate func perform() -> [String: Any] {
    while true {
      let line = wire.object()
      if line.isEmpty || line["type"] as? String == "perform" { return line }
    }
  }

  /// Says that an intent has run; returns the answer's type or the reason why not.
  @discardableResult
  fileprivate func performed(_ intent: [String: Any], failure: String? = nil) -> String? {
    var keys: [String: Any] = ["number": intent["number"] ?? 0]
    keys["failure"] = failure
    let answer = wire.ask("performed", keys)
    return (answer["code"] ?? answer["type"]) as? String
  }

  /// The record of its alarms, the newest first.
  fileprivate func history() -> [[String: Any]] {
    wire.write(Wire.request("history", id: "h"))
    return wire.answer("h").compactMap { $0["entry"] as? [String: Any] }
  }
}

@Suite("Intents", .timeLimit(.minutes(10)))
struct IntentTests {
  /// A program whose timer rings.
  private func ringing(
    _ running: RunningService,
    behavior: String = "countdown",
    perform: Bool = true
  ) -> JoinedProgram {
    let program = JoinedProgram(running, "pills", follow: true, perform: perform)
    program.wire.ask("schedule", reminderKeys(1, behavior: behavior))
    running.pass(.seconds(60))
    return program
  }

  @Test("After a person's stop the program runs its intent, and the record says so")
  func stopped() throws {
    let running = try RunningService()
    let program = ringing(running)
    let person = running.connect()
    #expect(person.ask("stop", ["alarm": "Pill"])["type"] as? String == "ok")
    #expect(program.lines(2) == ["changed alerting", "removed"])
    let intent = program.perform()
    #expect(intent["application"] as? String == "pills" && intent["alarm"] as? String == id(1))
    #expect(intent["action"] as? String == "stop" && intent["done"] as? String == "stop")
    #expect(intent["at"] as? String == (HandClocks.start + .seconds(60)).rfc3339)
    let call = intent["call"] as? [String: Any]
    #expect(call?["type"] as? String == "Taken")
    #expect((call?["parameters"] as? [String: Any])?["dose"] as? Int == 2)
    #expect(program.performed(intent, failure: "no water") == "ok")
    let line = try #require(program.history().first)
    #expect(line["event"] as? String == "performed" && line["detail"] as? String == "no water")
    #expect(line["application"] as? String == "pills" && line["title"] as? String == "Pill")
    #expect(line["occurrence"] as? String == intent["occurrence"] as? String)
    // It has run: whoever joins now gets nothing, and saying so again is no fault.
    #expect(program.performed(intent) == "ok")
    #expect(program.history().count { $0["event"] as? String == "performed" } == 1)
    #expect(running.on { $0.intents.count } == 0)
  }

  @Test("A custom button's alarm rings on until the intent ends it, which calls for no other")
  func custom() throws {
    let running = try RunningService()
    let program = ringing(running, behavior: "custom")
    let person = running.connect()
    person.ask("secondary", ["alarm": "Pill"])
    let intent = program.perform()
    #expect(intent["action"] as? String == "secondary" && intent["done"] == nil)
    // Pressed again while it runs: again it is to run, but not more often than once.
    person.ask("secondary", ["alarm": "Pill"])
    person.ask("secondary", ["alarm": "Pill"])
    let again = program.perform()
    #expect(program.performed(again) == "ok")
    #expect(running.on { $0.table.alertingCount } == 1)
    let stop = program.wire.ask("stop", ["occurrence": intent["occurrence"] ?? ""])
    #expect(stop["type"] as? String == "ok")
    #expect(program.performed(intent) == "ok")
    #expect(running.on { $0.table.count } == 0)
  }

  @Test("A press at the program's own presentation is a person's")
  func attached() throws {
    let running = try RunningService()
    let program = ringing(running)
    program.wire.ask("subscribe")
    program.wire.write(#"{"type":"ready","name":"widget","audible":false}"# + "\n")
    let occurrence = running.on { $0.table.presentations.first?.occurrence.description } ?? ""
    program.wire.write(
      #"{"type":"intent","action":"snooze","occurrence":"\#(occurrence)"}"# + "\n"
    )
    let intent = program.perform()
    #expect(intent["action"] as? String == "secondary" && intent["done"] as? String == "snooze")
    #expect(intent["source"] as? String == "widget")
  }

  @Test("One connection has an intent: the last to join, and when that goes, another")
  func holders() throws {
    let running = try RunningService()
    let first = ringing(running)
    let watching = JoinedProgram(running, "pills", follow: true)
    let other = JoinedProgram(running, "kitchen", perform: true)
    var second: JoinedProgram? = JoinedProgram(running, "pills", perform: true)
    running.connect().ask("stop", ["alarm": "Pill"])
    let intent = try #require(second?.perform())
    second = nil
    let handed = first.perform()
    #expect(handed as NSDictionary == intent as NSDictionary)
    #expect(other.performed(intent) == "notFound")
    #expect(Self.performed(running.connect(), intent) == "notFound")
    #expect(running.on { $0.intents.count } == 1)
    // Whichever of the program's connections says it.
    #expect(watching.performed(intent) == "ok")
    #expect(first.performed(["number": 9_000_000_000_000_000]) == "notFound")
  }

  private static func performed(_ wire: Wire, _ intent: [String: Any]) -> String? {
    wire.ask("performed", ["number": intent["number"] ?? 0])["code"] as? String
  }

  @Test("A program that is away finds its intents when it joins, in order")
  func away() throws {
    let running = try RunningService()
    do {
      let program = JoinedProgram(running, "pills", perform: true)
      for number in 1...300 {
        program.wire.ask("schedule", reminderKeys(number))
      }
    }
    running.pass(.seconds(60))
    let person = running.connect()
    for number in 1...300 { person.ask("stop", ["alarm": id(number)]) }
    let program = JoinedProgram(running, "pills", perform: true)
    let intents = (1...300).map { _ in program.perform() }
    #expect(intents.map { $0["alarm"] as? String } == (1...300).map { id($0) })
    let numbers = intents.compactMap { $0["number"] as? UInt64 }
    #expect(numbers.count == 300 && numbers == numbers.sorted() && Set(numbers).count == 300)
  }

  @Test("An intent that has not run comes again after a restart, one that has does not")
  func restarted() throws {
    let shelf = Shelf()
    let clocks = HandClocks()
    var numbers: [UInt64] = []
    for _ in 0..<2 {
      let running = try RunningService(.file(shelf.path), clocks: clocks)
      if numbers.isEmpty {
        _ = ringing(running, perform: false)
        running.connect().ask("stop", ["alarm": "Pill"])
      }
      let program = JoinedProgram(running, "pills", perform: true)
      numbers.append(try #require(program.perform()["number"] as? UInt64))
      running.end()
    }
    #expect(numbers[0] == numbers[1])
    let third = try RunningService(.file(shelf.path), clocks: clocks)
    let program = JoinedProgram(third, "pills", perform: true)
    #expect(program.performed(program.perform()) == "ok")
    third.end()
    // Set back, so that the clock alone would give the same numbers out again.
    clocks.step(.seconds(-86_400))
    let fourth = try RunningService(.file(shelf.path), clocks: clocks)
    let again = JoinedProgram(fourth, "pills", perform: true)
    #expect(fourth.on { $0.intents.count } == 0)
    again.wire.ask("schedule", reminderKeys(2))
    fourth.connect().ask("stop", ["alarm": "Pill"])
    let next = try #require(again.perform()["number"] as? UInt64)
    #expect(next > numbers[0])
    // One that was said to have run before the restart is no fault either.
    #expect(again.performed(["number": numbers[0]]) == "ok")
  }

  @Test("Nothing is handed over, and nothing called done, before it is on disk")
  func durable() throws {
    let shelf = Shelf()
    let running = try RunningService(.file(shelf.path))
    let person = running.connect()
    person.ask("schedule", timerKeys(9))
    let program = ringing(running)
    _ = program.lines(1)
    running.withStoreHeld {
      person.write(Wire.request("stop", ["alarm": "Pill"], id: "s"))
      person.ask("status")
      program.wire.write(Wire.request("status", id: "p"))
      #expect(program.lines(2) == ["removed", "ok"])
    }
    let intent = program.perform()
    #expect(intent["action"] as? String == "stop")
    running.withStoreHeld {
      program.wire.write(Wire.request("performed", ["number": intent["number"] ?? 0], id: "d"))
      program.wire.write(Wire.request("status", id: "p"))
      #expect(program.wire.object()["id"] as? String == "p")
    }
    #expect(program.wire.answer("d").last?["type"] as? String == "ok")
  }

  @Test("Intents that no program comes for are given up in the end, with a word in the log")
  func old() throws {
    let running = try RunningService()
    _ = ringing(running, perform: false)
    let person = running.connect()
    person.ask("stop", ["alarm": "Pill"])
    running.clocks.pass(.seconds(89 * 86_400))
    person.ask("schedule", timerKeys(8, seconds: 5 * 86_400))
    #expect(running.on { $0.intents.count } == 1)
    running.clocks.pass(.seconds(2 * 86_400))
    person.ask("schedule", timerKeys(9, seconds: 5 * 86_400))
    #expect(running.on { $0.intents.count } == 0)
    #expect(running.log.wait(for: "an intent of pills will not be run"))
    #expect(!running.log.all.joined().contains("Pill"))
  }
}

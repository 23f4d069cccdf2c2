import Foundation
import Testing
import TocsinModel

@testable import TocsinEngine
@testable import TocsinService

@Suite("A program that presents its alarms itself", .timeLimit(.minutes(10)))
struct ServiceProgramSinkTests {
  /// A program's connection that has subscribed.
  private func watcher(_ running: RunningService, _ name: String) -> JoinedProgram {
    let program = JoinedProgram(running, name)
    program.wire.ask("subscribe")
    return program
  }

  private func short(_ event: [String: Any]) -> String {
    let all = event["presentations"] as? [[String: Any]] ?? [event]
    let titles = all.map { $0["title"] as? String ?? "" }.joined(separator: ",")
    return "\(event["type"] ?? "end") \(titles)"
  }

  @Test("sees the events of its own alarms only, whether it presents or watches")
  func events() throws {
    let running = try RunningService()
    let person = running.connect()
    let pills = JoinedProgram(running, "pills")
    pills.wire.ask("schedule", timerKeys(1, seconds: 61, title: "Pill"))
    let first = JoinedProgram(running, "kitchen")
    first.wire.ask("schedule", timerKeys(2, seconds: 60))
    let watching = watcher(running, "kitchen")
    let presenting = watcher(running, "kitchen")
    for program in [watching, presenting] {
      #expect(short(program.wire.object()) == "sync Tea")
    }
    presenting.wire.write(#"{"type":"ready","name":"view"}"# + "\n")
    presenting.wire.ask("next")
    person.ask("schedule", timerKeys(3, seconds: 60, title: "Person"))
    person.ask("stop", ["alarm": id(3)])
    running.pass(.seconds(60))
    running.pass(.seconds(1))
    person.ask("stop", ["alarm": id(1)])
    person.ask("stop", ["alarm": id(2)])
    for program in [watching, presenting] {
      #expect(short(program.wire.object()) == "alert Tea")
      #expect(short(program.wire.object()) == "cleared Tea")
      #expect(program.wire.ask("next")["type"] as? String == "ok")
    }
  }

  @Test("is asked for its own alarms alone, and its word counts for no others")
  func receipts() throws {
    let running = try RunningService()
    let speaker = AttachedSink(running, "speaker", audible: true)
    let kitchen = watcher(running, "kitchen")
    #expect(short(kitchen.wire.object()) == "sync ")
    let person = running.connect()
    person.ask("schedule", timerKeys(1, seconds: 60, title: "Person"))
    kitchen.wire.ask("schedule", timerKeys(2, seconds: 60))
    running.pass(.seconds(60))
    func results(_ number: Int) -> [String] {
      person.write(Wire.request("show", ["alarm": id(number)]))
      let alarm = person.answer("q").first?["alarm"] as? [String: Any]
      let receipts = alarm?["receipts"] as? [[String: Any]] ?? []
      return receipts.map { "\($0["sink"] ?? "") \($0["result"] ?? "")" }
    }
    let numbers = running.on { service in
      service.table.presentations.map { ($0.title, $0.seq) }
    }
    for (_, seq) in numbers {
      kitchen.wire.write(#"{"type":"presented","seq":\#(seq)}"# + "\n")
    }
    kitchen.wire.ask("next")
    // As one that watches it may say so of its own.
    #expect(results(1) == ["speaker pending"])
    #expect(results(2).count == 2 && results(2).contains { $0.hasSuffix("presented") })
    kitchen.wire.write(#"{"type":"ready","name":"view","audible":true}"# + "\n")
    kitchen.wire.ask("next")
    #expect(results(1) == ["speaker pending"])
    #expect(results(2).contains("view pending"))
    withExtendedLifetime(speaker) {}
  }

  @Test("answers for its own alarms, and for no others")
  func presses() throws {
    let running = try RunningService()
    let kitchen = watcher(running, "kitchen")
    let person = running.connect()
    person.ask("schedule", timerKeys(1, title: "Person"))
    kitchen.wire.ask("schedule", timerKeys(2))
    for line in [
      #"{"type":"intent","action":"stop","alarm":"\#(id(1))"}"#,
      #"{"type":"intent","action":"stop","target":"all"}"#,
      #"{"type":"intent","action":"cancel","alarm":"Person"}"#,
      #"{"type":"intent","action":"pause","alarm":"\#(id(2))"}"#,
    ] {
      kitchen.wire.write(line + "\n")
    }
    kitchen.wire.ask("next")
    person.write(Wire.request("list"))
    let states = person.answer("q").compactMap {
      ($0["alarm"] as? [String: Any])?["state"] as? String
    }
    #expect(states.sorted() == ["countdown", "paused"])
  }
}

import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

/// What a program knows of its alarms by what it was told is what a list says, whatever happens.
@Suite("Whatever happens to a program's alarms", .timeLimit(.minutes(10)))
struct RandomFollowTests {
  @Test("what it was told of them is what a list says", arguments: 1...8)
  func random(seed: UInt64) throws {
    var dice = SeededGenerator(state: seed)
    let running = try RunningService()
    let sink = AttachedSink(running, "speaker", audible: true)
    let person = running.connect()
    let programs = ["kitchen", "pills"].map { JoinedProgram(running, $0, follow: true) }
    var mirrors: [[String: NSDictionary]] = [[:], [:]]
    for step in 0..<80 {
      happen(&dice, running, sink, [person] + programs.map(\.wire))
      for (place, program) in programs.enumerated() {
        let listed = read(program.wire, &mirrors[place])
        try #require(mirrors[place] == listed, "seed \(seed), step \(step)")
      }
    }
  }

  /// Asks for a list, and takes in what comes before it.
  private func read(
    _ wire: Wire,
    _ mirror: inout [String: NSDictionary]
  ) -> [String: NSDictionary] {
    var listed: [String: NSDictionary] = [:]
    wire.write(Wire.request("list", id: "list"))
    while true {
      let line = wire.object()
      let alarm = line["alarm"] as? [String: Any]
      let id = alarm?["id"] as? String ?? line["alarm"] as? String ?? ""
      switch line["type"] as? String {
      case "changed": mirror[id] = alarm.map { $0 as NSDictionary }
      case "removed": mirror[id] = nil
      case "alarm" where line["id"] as? String == "list":
        listed[id] = alarm.map { $0 as NSDictionary }
      case "ok" where line["id"] as? String == "list", nil: return listed
      default: break
      }
    }
  }

  private func happen(
    _ dice: inout SeededGenerator,
    _ running: RunningService,
    _ sink: AttachedSink,
    _ wires: [Wire]
  ) {
    let wire = wires[Int.random(in: 0..<wires.count, using: &dice)]
    let number = Int.random(in: 0..<6, using: &dice)
    switch Int.random(in: 0..<8, using: &dice) {
    case 0, 1:
      let seconds = Double.random(in: 5...60, using: &dice)
      wire.write(Wire.request("schedule", timerKeys(number, seconds: seconds)))
    case 2:
      let keys: [String: Any] = [
        "id": id(number), "title": "Daily", "countdown": ["postAlert": 30],
        "schedule": ["time": "12:01", "repeats": ["thu", "fri"]],
      ]
      wire.write(Wire.request(Bool.random(using: &dice) ? "schedule" : "update", ["alarm": keys]))
    case 3: running.pass(.seconds(Int64.random(in: 1...90, using: &dice)))
    case 4: sink.send(["type": "intent", "action": "stop", "target": "alerting"])
    case 5:
      let seq = running.on { $0.table.presentations.last?.seq ?? 0 }
      let type = Bool.random(using: &dice) ? "presented" : "failed"
      sink.send(["type": type, "seq": seq, "reason": "no card"])
    default:
      let action = AlarmAction.allCases.randomElement(using: &dice) ?? .stop
      wire.write(Wire.request(action.rawValue, ["alarm": id(number), "duration": 20]))
    }
    // Both have been taken once this is answered.
    wire.write(Wire.request("next", id: "taken"))
    if wire === wires[0] { _ = wire.answer("taken") }
    sink.wire.write(Wire.request("next", id: "taken"))
    _ = sink.wire.answer("taken")
  }
}

import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

@Suite("A program that follows its alarms", .timeLimit(.minutes(10)))
struct FollowTests {
  @Test("is told of every state once, before the answer to what brought it about")
  func order() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    let other = JoinedProgram(running, "pills", follow: true)
    let person = running.connect()
    kitchen.wire.write(Wire.request("schedule", timerKeys(1, seconds: 60)))
    #expect(kitchen.lines(3) == ["changed countdown", "alarm countdown", "ok"])
    person.ask("pause", ["alarm": id(1)])
    person.ask("resume", ["alarm": id(1)])
    person.ask("update", timerKeys(1, seconds: 60, title: "Green tea"))
    running.pass(.seconds(60))
    person.ask("snooze", ["alarm": id(1), "duration": 60])
    running.pass(.seconds(60))
    kitchen.wire.write(Wire.request("stop", ["alarm": id(1)]))
    #expect(
      kitchen.lines(9) == [
        "changed paused", "changed countdown", "changed countdown", "changed alerting",
        "changed countdown", "changed alerting", "removed", "alarm alerting", "ok",
      ]
    )
    // The other has heard of none of it.
    other.wire.write(Wire.request("schedule", timerKeys(2)))
    #expect(other.lines(3) == ["changed countdown", "alarm countdown", "ok"])
  }

  @Test("is told of alarms it had before, whoever deletes them, and of nobody else's")
  func deletions() throws {
    let running = try RunningService()
    let before = JoinedProgram(running, "kitchen")
    before.wire.ask("schedule", timerKeys(1))
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    let person = running.connect()
    person.ask("schedule", timerKeys(2, title: "Person"))
    person.ask("cancel", ["target": "all"])
    let line = kitchen.wire.object()
    #expect(line["type"] as? String == "removed")
    #expect(line["alarm"] as? String == id(1))
    kitchen.wire.write(Wire.request("next"))
    #expect(kitchen.lines(1) == ["ok"])
  }

  @Test("learns what became of an alert at each sink")
  func receipts() throws {
    let running = try RunningService()
    let sink = AttachedSink(running, "speaker", audible: true)
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    kitchen.wire.write(Wire.request("schedule", timerKeys(1, seconds: 60)))
    #expect(kitchen.lines(3) == ["changed countdown", "alarm countdown", "ok"])
    running.pass(.seconds(60))
    func results() -> [String] {
      let alarm = kitchen.wire.object()["alarm"] as? [String: Any]
      let receipts = alarm?["receipts"] as? [[String: Any]] ?? []
      return receipts.compactMap { $0["result"] as? String }
    }
    #expect(results() == ["pending"])
    sink.next("alert")
    sink.fail("no card")
    #expect(results() == ["failed"])
    sink.confirm()
    #expect(results() == ["presented"])
    kitchen.wire.write(Wire.request("next"))
    #expect(kitchen.lines(1) == ["ok"])
  }

  @Test("that is slow to read is told the last receipt of each alarm, and is not let go for them")
  func manyReceipts() throws {
    let running = try RunningService { $0.limits.output = 64 << 10 }
    let sink = AttachedSink(running, "speaker", audible: true)
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    let other = JoinedProgram(running, "kitchen")
    let title = String(repeating: "x", count: 4_000)
    other.wire.ask("schedule", timerKeys(1, seconds: 60, title: title))
    running.pass(.seconds(60))
    sink.next("alert")
    for _ in 0..<200 {
      sink.fail("no card")
      sink.confirm()
    }
    #expect(running.on { !$0.followers.isEmpty })
    sink.fail("the last")
    var last = ""
    while last != "the last" {
      let line = kitchen.wire.object()
      #expect(line["type"] as? String == "changed")
      let alarm = line["alarm"] as? [String: Any]
      let receipts = alarm?["receipts"] as? [[String: Any]]
      last = receipts?.first?["detail"] as? String ?? ""
      guard !line.isEmpty else { break }
    }
    kitchen.wire.write(Wire.request("next"))
    #expect(kitchen.lines(1) == ["ok"])
  }

  @Test("hears that an alarm is no more which the disk refused")
  func refused() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    kitchen.wire.write(Wire.request("schedule", timerKeys(1)))
    #expect(kitchen.lines(3) == ["changed countdown", "alarm countdown", "ok"])
    running.on { $0.run(.revoked(AlarmID(high: 0x10, low: 1))) }
    #expect(kitchen.lines(1) == ["removed"])
  }

  @Test("is told of thousands at once as fast as it reads, and only then answered")
  func many() throws {
    let running = try RunningService()
    let count = 3_000
    let title = String(repeating: "x", count: 1_000)
    running.on { service in
      for number in 0..<count { service.run(.schedule(daily(number, title), source: "test")) }
    }
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    let person = running.connect()
    #expect(person.ask("disable", ["target": "all"])["count"] as? Int == count)
    // One of those whose turn has not come is deleted meanwhile.
    kitchen.wire.write(Wire.request("cancel", ["alarm": id(count - 1)]))
    var told: [String: Int] = [:]
    var removed: [String] = []
    var line = kitchen.wire.object()
    while line["id"] as? String != "q", !line.isEmpty {
      if let alarm = line["alarm"] as? [String: Any] {
        #expect(alarm["enabled"] as? Bool == false)
        told[alarm["id"] as? String ?? "", default: 0] += 1
      } else if let alarm = line["alarm"] as? String {
        removed.append(alarm)
      }
      line = kitchen.wire.object()
    }
    #expect(removed == [id(count - 1)])
    #expect(Set(told.keys) == Set((0..<count - 1).map(id)) && told.values.allSatisfy { $0 == 1 })
    #expect(kitchen.wire.answer("q").last?["type"] as? String == "ok")
    #expect(kitchen.wire.ask("status")["type"] as? String == "ok")
  }

  @Test("learns of another time when the machine moves to another zone")
  func zone() throws {
    let running = try RunningService()
    running.on { $0.run(.schedule(daily(1, "Tea"), source: "test")) }
    let kitchen = JoinedProgram(running, "kitchen", follow: true)
    let moved = running.on { service in
      let zone = service.zones.zone(named: "Asia/Tokyo")
      service.run(.zoneChanged(zone))
      return zone != nil
    }
    #expect(moved)
    let alarm = kitchen.wire.object()["alarm"] as? [String: Any]
    #expect(alarm?["next"] as? String == "2040-03-01T22:00:00.000Z")
  }

  @Test("that does not read is let go, and nobody else waits for it")
  func deaf() throws {
    let running = try RunningService { $0.limits.output = 64 << 10 }
    let deaf = JoinedProgram(running, "kitchen", follow: true)
    let kitchen = JoinedProgram(running, "kitchen")
    kitchen.wire.ask("schedule", timerKeys(1, title: String(repeating: "x", count: 8_000)))
    while running.on({ !$0.followers.isEmpty }) {
      #expect(kitchen.wire.ask("pause", ["alarm": id(1)])["type"] as? String == "ok")
      #expect(kitchen.wire.ask("resume", ["alarm": id(1)])["type"] as? String == "ok")
    }
    withExtendedLifetime(deaf) {}
  }

  @Test("costs nothing when it has gone")
  func gone() throws {
    let running = try RunningService()
    var kitchen: JoinedProgram? = JoinedProgram(running, "kitchen", follow: true)
    #expect(running.on { !$0.followers.isEmpty })
    kitchen = nil
    while running.on({ !$0.followers.isEmpty }) {}
    withExtendedLifetime(kitchen) {}
  }
}

/// An alarm of the program `kitchen`, every day at seven.
private func daily(_ number: Int, _ title: String) -> Alarm {
  var alarm = Alarm(
    id: AlarmID(high: 0x10, low: UInt64(number)),
    title: title,
    schedule: .wall(WallSchedule(time: TimeOfDay(secondOfDay: 7 * 3_600), days: .weekly(.everyDay)))
  )
  alarm.options.application = "kitchen"
  return alarm
}

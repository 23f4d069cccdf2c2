import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

@Suite("A program that has joined", .timeLimit(.minutes(10)))
struct JoinTests {
  @Test("sees its own alarms only, and nobody else can take them for theirs")
  func scope() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen")
    let pills = JoinedProgram(running, "pills")
    #expect(kitchen.joined["access"] as? String == "authorized")
    let person = running.connect()
    person.ask("schedule", timerKeys(1, seconds: 60, title: "Person"))
    kitchen.wire.ask("schedule", timerKeys(2, seconds: 120))
    pills.wire.ask("schedule", timerKeys(3, seconds: 180, title: "Pills"))
    #expect(kitchen.titles == ["Tea"])
    #expect(pills.titles == ["Pills"])
    person.write(Wire.request("list"))
    #expect(titles(person.answer("q")) == ["Person", "Tea", "Pills"])
    person.write(Wire.request("list", ["application": "pills"]))
    #expect(titles(person.answer("q")) == ["Pills"])
    // What a list asks for is no way around it.
    kitchen.wire.write(Wire.request("list", ["application": "pills"]))
    #expect(titles(kitchen.wire.answer("q")) == ["Tea"])
    kitchen.wire.write(Wire.request("next"))
    #expect(titles(kitchen.wire.answer("q")) == ["Tea"])
    let status = pills.wire.ask("status")["status"] as? [String: Any]
    #expect(status?["alarms"] as? Int == 3)
    #expect(status?["next"] as? String == (HandClocks.start + .seconds(180)).rfc3339)
    #expect(status?["embedded"] == nil)
  }

  @Test("is told whether its alarms end with another program")
  func embedded() throws {
    let running = try RunningService { $0.isEmbedded = true }
    let status = JoinedProgram(running, "kitchen").wire.ask("status")["status"] as? [String: Any]
    #expect(status?["embedded"] as? Bool == true)
  }

  @Test("can do nothing to the alarms of others, and names its own by identity")
  func strangers() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen")
    let person = running.connect()
    person.write(Wire.request("schedule", timerKeys(1)))
    let theirs = person.answer("q").first?["alarm"] as? [String: Any]
    kitchen.wire.ask("schedule", timerKeys(2, title: "Mine"))
    for action in AlarmAction.allCases {
      let answer = kitchen.wire.ask(action.rawValue, ["alarm": id(1)])
      #expect(answer["code"] as? String == "notFound", "\(action)")
      let occurrence = theirs?["occurrence"] as? String ?? ""
      let stale = kitchen.wire.ask(action.rawValue, ["occurrence": occurrence])
      #expect(stale["code"] as? String == "notFound", "\(action)")
      for keys in [["alarm": "Tea"], ["target": "all"], ["target": "alerting"], [:]] {
        let answer = kitchen.wire.ask(action.rawValue, keys)
        #expect(answer["code"] as? String == "invalid", "\(action) \(keys)")
      }
    }
    #expect(kitchen.wire.ask("update", timerKeys(1))["code"] as? String == "notFound")
    #expect(kitchen.wire.ask("show", ["alarm": id(1)])["code"] as? String == "notFound")
    #expect(kitchen.wire.ask("show", ["alarm": "Mine"])["code"] as? String == "invalid")
    #expect(kitchen.wire.ask("route", ["alarm": id(1)])["code"] as? String == "notFound")
    #expect(kitchen.wire.ask("schedule", timerKeys(1))["code"] as? String == "duplicate")
    #expect(kitchen.wire.ask("show", ["alarm": id(2)])["type"] as? String == "ok")
    #expect(kitchen.wire.ask("pause", ["alarm": id(2)])["type"] as? String == "ok")
    #expect(running.on { $0.table.count } == 2)
  }

  @Test("owns what it scheduled, whoever changes it and whatever is written")
  func ownership() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen")
    let person = running.connect()
    func keys(_ number: Int, of application: String) -> [String: Any] {
      var keys = timerKeys(number)
      var alarm = keys["alarm"] as? [String: Any] ?? [:]
      alarm["application"] = application
      keys["alarm"] = alarm
      return keys
    }
    func owner(_ number: Int) -> String? {
      running.on { $0.table.application(of: AlarmID(high: 0x10, low: UInt64(number))) }
    }
    kitchen.wire.ask("schedule", keys(1, of: "pills"))
    #expect(owner(1) == "kitchen")
    person.ask("update", timerKeys(1, title: "Green tea"))
    #expect(owner(1) == "kitchen")
    #expect(kitchen.titles == ["Green tea"])
    kitchen.wire.ask("update", keys(1, of: "pills"))
    #expect(owner(1) == "kitchen")
    // Only a program's own connection makes an alarm a program's.
    person.ask("schedule", keys(2, of: "kitchen"))
    #expect(owner(2) == nil)
    #expect(kitchen.titles == ["Tea"])
    let entries = running.on { $0.table.identities(Request.ListFilter(application: "kitchen")) }
    #expect(entries.count == 1)
  }

  @Test(
    "has a name that a person can read",
    arguments: [
      "", String(repeating: "x", count: 256), String(repeating: "x", count: 60_000),
      "two\nlines", "\u{1B}[2J", "\u{202E}nehctik",
    ]
  )
  func names(name: String) throws {
    let running = try RunningService()
    let program = JoinedProgram(running, name)
    #expect(program.joined["code"] as? String == "invalid")
    #expect((program.joined["message"] as? String ?? "").utf8.count < 200)
    // It is what it was before: nobody in particular.
    #expect(program.wire.ask("authorize")["code"] as? String == "wrongState")
    #expect(program.wire.ask("schedule", timerKeys(1))["type"] as? String == "ok")
    #expect(program.wire.ask("join", ["application": "Küche 2"])["type"] as? String == "ok")
  }

  @Test("is one program for the life of its connection")
  func twice() throws {
    let running = try RunningService()
    let kitchen = JoinedProgram(running, "kitchen")
    #expect(kitchen.wire.ask("join", ["application": "pills"])["code"] as? String == "wrongState")
    let again = kitchen.wire.ask("join", ["application": "kitchen", "follow": true])
    #expect(again["access"] as? String == "authorized")
    kitchen.wire.write(Wire.request("schedule", timerKeys(1)))
    #expect(kitchen.lines(3) == ["changed countdown", "alarm countdown", "ok"])
    kitchen.wire.ask("join", ["application": "kitchen"])
    kitchen.wire.write(Wire.request("pause", ["alarm": id(1)]))
    #expect(kitchen.lines(2) == ["alarm paused", "ok"])
    let watcher = running.connect()
    watcher.ask("subscribe")
    #expect(watcher.ask("join", ["application": "kitchen"])["code"] as? String == "wrongState")
    let long = Wire.request("join", ["application": String(repeating: "x", count: 64 << 10)])
    watcher.write(long)
    var answer = watcher.object()
    while answer["type"] as? String == "sync" { answer = watcher.object() }
    #expect(answer["code"] as? String == "tooLarge")
  }
}

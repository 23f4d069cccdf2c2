import Foundation
import Glibc
import Testing
import TocsinModel

@testable import TocsinEngine
@testable import TocsinService

@Suite("The service, asked by clients,", .timeLimit(.minutes(10)))
struct ServiceRequestTests {
  @Test(
    "answers every line it cannot use",
    arguments: [
      (#"{"type":"dance","id":"7"}"#, "7", "unknownRequest"),
      (#"{"type":"presented","id":"7"}"#, "7", "badRequest"),
      (#"{"id":"7"}"#, "7", "badRequest"),
      (#"{"type":"list","id":7}"#, "", "badRequest"),
      (#"{"type":"schedule","id":"7"}"#, "7", "badRequest"),
      (#"{"type":"stop","id":"7","target":"some"}"#, "7", "badRequest"),
      (#"{"type":"show","id":"7","alarm":"nothing"}"#, "7", "notFound"),
      (#"{"type":"backup","id":"7","path":"here"}"#, "7", "invalid"),
      (#"{"type":"join","id":"7"}"#, "7", "badRequest"),
      (#"{"type":"join","id":"7","application":""}"#, "7", "invalid"),
      (#"{"type":"authorize","id":"7"}"#, "7", "wrongState"),
      (#"{"type":"performed","id":"7"}"#, "7", "badRequest"),
      (#"{"type":"performed","id":"7","number":-1}"#, "7", "badRequest"),
      ("[]", "", "badRequest"), ("7", "", "badRequest"), ("{", "", "badRequest"),
      (" ", "", "badRequest"), ("\u{0}", "", "badRequest"),
      (String(repeating: "x", count: JSONLine.limit), "", "tooLarge"),
    ]
  )
  func mistakes(line: String, id: String, code: String) throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.write(line + "\n")
    let answer = wire.object()
    #expect(answer["type"] as? String == "error")
    #expect(answer["id"] as? String == id)
    #expect(answer["code"] as? String == code)
    #expect(wire.ask("next")["type"] as? String == "ok")
  }

  @Test("answers bytes that are no text, and lines with carriage returns")
  func bytes() throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.write([0xFF, 0xFE, 0x0A])
    #expect(wire.object()["code"] as? String == "badRequest")
    wire.write(#"{"type":"next","id":"q"}"# + "\r\n")
    #expect(wire.object()["type"] as? String == "ok")
  }

  @Test("ignores reports of kinds it knows and has no use for")
  func uselessReports() throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.write(#"{"type":"pong"}"# + "\n" + #"{"type":"presented","seq":99}"# + "\n")
    #expect(wire.ask("history")["count"] as? Int == 0)
  }

  @Test("accepts, shows, lists, changes and deletes alarms")
  func life() throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.write(Wire.request("schedule", timerKeys(1)))
    let accepted = wire.answer("q")
    #expect(accepted.map { $0["type"] as? String } == ["alarm", "ok"])
    #expect(wire.ask("schedule", timerKeys(1))["code"] as? String == "duplicate")
    #expect(wire.ask("schedule", timerKeys(2, title: "Eggs"))["count"] as? Int == 1)
    #expect(wire.ask("update", timerKeys(2, title: "More eggs"))["count"] as? Int == 1)
    wire.write(Wire.request("list"))
    #expect(titles(wire.answer("q")).sorted() == ["More eggs", "Tea"])
    #expect(wire.ask("show", ["alarm": "Tea"])["count"] as? Int == 1)
    #expect(wire.ask("next")["count"] as? Int == 1)
    #expect(wire.ask("cancel", ["alarm": "Tea"])["count"] as? Int == 1)
    wire.write(Wire.request("list", ["state": "countdown", "limit": 5]))
    #expect(titles(wire.answer("q")) == ["More eggs"])
    wire.write(Wire.request("history", ["limit": 2]))
    let entries = wire.answer("q").compactMap { $0["entry"] as? [String: Any] }
    #expect(entries.map { $0["event"] as? String } == ["cancelled", "updated"])
  }

  @Test("answers a change of thousands, which is more than a client may let pile up")
  func many() throws {
    let running = try RunningService()
    let title = String(repeating: "x", count: 8_000)
    running.on { service in
      for number in 0..<200 {
        let alarm = Alarm(
          id: AlarmID(high: 1, low: UInt64(number)),
          title: title,
          countdown: CountdownDuration(preAlert: 600)
        )
        service.run(.schedule(alarm, source: "test"))
      }
    }
    let wire = running.connect()
    wire.write(Wire.request("cancel", ["target": "all"]))
    // Another is served while the first does not read.
    #expect(running.connect().ask("status")["type"] as? String == "ok")
    let answer = wire.answer("q")
    #expect(answer.count == 201)
    #expect(answer.last?["count"] as? Int == 200)
  }

  @Test("refuses what nothing rings for, and answers what does")
  func several() throws {
    let running = try RunningService()
    let wire = running.connect()
    #expect(wire.ask("snooze", ["target": "alerting"])["code"] as? String == "wrongState")
    wire.ask("schedule", timerKeys(1, seconds: 1))
    running.pass(.seconds(1))
    #expect(wire.ask("stop", ["target": "alerting"])["count"] as? Int == 1)
  }

  @Test("writes a backup for its own user only, and never over the store")
  func backup() throws {
    let shelf = Shelf()
    let running = try RunningService(.file(shelf.path))
    let wire = running.connect()
    wire.ask("schedule", timerKeys(1))
    let path = shelf.directory + "/copy"
    let member = running.connect(
      from: Peer(pid: 1, uid: geteuid() &+ 1, groups: [4_242])
    )
    // Without the group it is not even let in.
    #expect(member.object()["code"] as? String == "permission")
    #expect(wire.ask("backup", ["path": shelf.path])["code"] as? String == "storage")
    #expect(wire.ask("backup", ["path": path])["count"] as? Int == 1)
    running.end()
    let copy = try RunningService(.file(path))
    #expect(copy.on { $0.table.count } == 1)
  }

  @Test("lets no member of the group name a file for it to write")
  func backupByMember() throws {
    let shelf = Shelf()
    let name = try #require(getgrgid(getegid())?.pointee.gr_name).map { String(cString: $0) }
    let running = try RunningService(.file(shelf.path)) {
      $0.configuration.daemon.group = name
    }
    let member = running.connect(
      from: Peer(pid: 1, uid: geteuid() &+ 1, groups: [getegid()])
    )
    #expect(member.ask("list")["type"] as? String == "ok")
    let path = shelf.directory + "/copy"
    #expect(member.ask("backup", ["path": path])["code"] as? String == "permission")
    let names = try shelf.names()
    #expect(!names.contains("copy"))
  }

  @Test("keeps what plugins.conf said when it has mistakes, and follows it when it has none")
  func reload() throws {
    let shelf = Shelf()
    let file = shelf.directory + "/plugins.conf"
    let running = try RunningService {
      $0.reload = { () throws(ConfigurationError) in
        try ConfigurationFinder(environment: [:]).load(file: file).configuration
      }
    }
    let wire = running.connect()
    try shelf.write(Data("[daemon]\nsnoze = 5min\n".utf8), "plugins.conf")
    #expect(wire.ask("reload")["code"] as? String == "config")
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("did you mean snooze?"))
    try shelf.write(Data("[daemon]\nsnooze = 5min\nalarm-limit = 1\n".utf8), "plugins.conf")
    #expect(wire.ask("reload")["type"] as? String == "ok")
    let rules = running.on { $0.table.rules }
    #expect(rules.snooze == 300_000_000 && rules.alarmLimit == 1)
    #expect(running.on { $0.warnings[.configuration] } == nil)
    wire.ask("schedule", timerKeys(1))
    #expect(wire.ask("schedule", timerKeys(2))["code"] as? String == "limitReached")
    let service = running.service
    try shelf.write(Data("[daemon]\nalarm-limit = 2\n".utf8), "plugins.conf")
    running.on { $0.received(SIGHUP) }
    #expect(wire.ask("schedule", timerKeys(2))["type"] as? String == "ok")
    withExtendedLifetime(service) {}
  }

  @Test("says what plugins.conf asks for and is not there")
  func missingGroup() throws {
    let running = try RunningService { $0.configuration.daemon.group = "no-such-group" }
    #expect(running.on { $0.warnings[.group] } != nil)
    #expect(running.log.all.contains { $0.contains("there is no group no-such-group") })
  }
}

import Foundation
import Testing
import TocsinModel

@testable import TocsinEngine
@testable import TocsinService

@Suite("Leave to set alarms", .timeLimit(.minutes(10)))
struct AccessTests {
  @Test("is given to who asks where plugins.conf says so, to all connections of that program")
  func onRequest() throws {
    let running = try RunningService { $0.configuration.access.fallback = .onRequest }
    let kitchen = JoinedProgram(running, "kitchen")
    let second = JoinedProgram(running, "kitchen")
    let pills = JoinedProgram(running, "pills")
    for program in [kitchen, second, pills] {
      #expect(program.joined["access"] as? String == "notDetermined")
    }
    kitchen.wire.write(Wire.request("authorize"))
    #expect(kitchen.lines(2) == ["authorization authorized", "ok authorized"])
    #expect(second.lines(1) == ["authorization authorized"])
    // To set an alarm is to ask.
    pills.wire.write(Wire.request("schedule", timerKeys(1)))
    #expect(pills.lines(3) == ["authorization authorized", "alarm countdown", "ok"])
    #expect(JoinedProgram(running, "pills").joined["access"] as? String == "authorized")
    #expect(JoinedProgram(running, "other").joined["access"] as? String == "notDetermined")
  }

  @Test("is refused with a remedy, and what was promised before still rings and can be stopped")
  func denied() throws {
    let running = try RunningService()
    running.on { service in
      service.options.reload = { () throws(ConfigurationError) in
        try Configuration([.init(name: "f", text: "[access]\ndeny = kitchen\n")])
      }
    }
    let kitchen = JoinedProgram(running, "kitchen")
    let pills = JoinedProgram(running, "pills")
    kitchen.wire.ask("schedule", timerKeys(1, seconds: 60))
    let person = running.connect()
    #expect(person.ask("reload")["type"] as? String == "ok")
    #expect(kitchen.lines(1) == ["authorization denied"])
    let refusal = kitchen.wire.ask("schedule", timerKeys(2))
    #expect(refusal["code"] as? String == "permission")
    let message = refusal["message"] as? String ?? ""
    #expect(message.contains("deny") && message.contains("tocsin reload"))
    #expect(kitchen.wire.ask("update", timerKeys(1))["code"] as? String == "permission")
    kitchen.wire.write(Wire.request("authorize"))
    #expect(kitchen.lines(1) == ["ok denied"])
    running.pass(.seconds(60))
    #expect(running.on { $0.table.alertingCount } == 1)
    #expect(kitchen.wire.ask("stop", ["alarm": id(1)])["type"] as? String == "ok")
    // Nobody else has anything to do with it.
    #expect(person.ask("schedule", timerKeys(2))["type"] as? String == "ok")
    pills.wire.write(Wire.request("schedule", timerKeys(3)))
    #expect(pills.lines(2) == ["alarm countdown", "ok"])
    running.on { service in
      service.options.reload = { () throws(ConfigurationError) in Configuration() }
    }
    person.ask("reload")
    #expect(kitchen.lines(1) == ["authorization authorized"])
    #expect(kitchen.wire.ask("schedule", timerKeys(4))["type"] as? String == "ok")
  }

  @Test("is remembered for no more programs than there can be")
  func memory() throws {
    let running = try RunningService { $0.configuration.access.fallback = .onRequest }
    running.on { service in
      for number in 0..<1_500 { try? service.admit("program \(number)") }
    }
    #expect(running.on { $0.programsThatAsked.count } == 1_000)
    #expect(running.on { $0.access(of: "program 1499") } == .authorized)
    #expect(running.on { $0.access(of: "program 0") } == .notDetermined)
  }
}

import Foundation
import Glibc
import Synchronization
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

private func daily(_ number: Int, _ time: String, zone: String? = nil) -> [String: Any] {
  var schedule: [String: Any] = [
    "time": time, "repeats": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  ]
  if let zone { schedule["zone"] = zone }
  return ["alarm": ["id": id(number), "title": "Wake", "schedule": schedule]]
}

extension Wire {
  /// When the next alarm rings.
  fileprivate var next: String? {
    write(Wire.request("next"))
    return (answer("q").first?["alarm"] as? [String: Any])?["next"] as? String
  }
}

@Suite("The service and the clock", .timeLimit(.minutes(10)))
struct ServiceClockTests {
  @Test("follows the zone's file when it changes under it")
  func zoneFile() throws {
    let shelf = Shelf()
    let zones = "/usr/share/zoneinfo"
    let file = shelf.directory + "/Home"
    try FileManager.default.copyItem(atPath: zones + "/Europe/Berlin", toPath: file)
    try FileManager.default.copyItem(atPath: zones + "/UTC", toPath: shelf.directory + "/UTC")
    try FileManager.default.copyItem(
      atPath: zones + "/America/New_York",
      toPath: shelf.directory + "/new"
    )
    let running = try RunningService {
      $0.environment = ["TZ": "Home", "TZDIR": shelf.directory]
    }
    let wire = running.connect()
    #expect(wire.ask("schedule", daily(1, "08:00"))["type"] as? String == "ok")
    // 2040-03-01 is before both change to summer time: UTC+1 and UTC-5.
    #expect(wire.next == "2040-03-02T07:00:00.000Z")
    #expect(rename(shelf.directory + "/new", file) == 0)
    #expect(running.log.wait(for: "the time zone is Home now, or has new rules"))
    // The line is written before the alarms follow, the request is handled after.
    #expect(wire.next == "2040-03-01T13:00:00.000Z")
    try FileManager.default.removeItem(atPath: file)
    #expect(running.log.wait(for: "the time zone is not known now"))
    #expect(wire.next == nil)
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("Home"))
    try FileManager.default.copyItem(atPath: zones + "/Europe/Berlin", toPath: file)
    #expect(running.log.wait(for: "the time zone is Home"))
  }

  @Test(
    "knows which files a zone comes from",
    arguments: [
      (["TZ": ":Europe/Berlin"], "/usr/share/zoneinfo/Europe/Berlin"),
      (["TZ": "Europe/Berlin", "TZDIR": "/z"], "/z/Europe/Berlin"),
      (["TZ": "/my/zone"], "/my/zone"),
      (["TZDIR": ""], "/usr/share/zoneinfo/tzdata.zi"),
      ([:], "/etc/localtime"),
    ]
  )
  func watched(environment: [String: String], path: String) {
    let paths = SystemZones.watchedPaths(environment: environment)
    #expect(paths.contains(path))
    #expect(environment["TZ"] == nil || !paths.contains("/etc/localtime"))
  }

  @Test("lets alarms wait for a clock that is not to be trusted, but no timers, and says so")
  func trust() throws {
    let isSynchronised = Lock(false)
    let running = try RunningService {
      $0.clockTrust = {
        ClockTrust(isSynchronised: isSynchronised.withLock { $0 }, hasBatteryClock: false)
      }
      $0.clockPolling = .milliseconds(1)
      $0.configuration.daemon.clockWait =
        .microseconds(HandClocks.bootStart) + .seconds(86_400)
    }
    let subscriber = running.connect()
    subscriber.ask("subscribe")
    let wire = running.connect()
    #expect(wire.ask("schedule", daily(1, "12:01"))["type"] as? String == "ok")
    wire.ask("schedule", timerKeys(2, seconds: 90))
    #expect(subscriber.object()["type"] as? String == "sync")
    #expect(subscriber.object()["type"] as? String == "countdown")
    running.pass(.seconds(90))
    let timer = subscriber.object()
    #expect(timer["type"] as? String == "alert" && timer["title"] as? String == "Tea")
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(status?["clockTrusted"] as? Bool == false)
    #expect(warnings(status).contains("alarms wait for it, countdowns do not"))
    isSynchronised.withLock { $0 = true }
    // It is looked at without anybody asking.
    let alarm = subscriber.object()
    #expect(alarm["type"] as? String == "alert" && alarm["title"] as? String == "Wake")
    #expect(alarm["late"] as? Double == 30)
    #expect(running.on { $0.warnings[.clock] } == nil)
    #expect(running.on { $0.clockTimer } == nil)
  }

  @Test("goes by a clock that nobody sets once it has waited, says so, and sees when one does")
  func untrusted() throws {
    let isSynchronised = Lock(false)
    let running = try RunningService {
      $0.clockTrust = {
        ClockTrust(isSynchronised: isSynchronised.withLock { $0 }, hasBatteryClock: false)
      }
    }
    let wire = running.connect()
    #expect(running.on { $0.clockTimer } == nil)
    let before = wire.ask("status")["status"] as? [String: Any]
    #expect(warnings(before).contains("alarms go by it all the same"))
    isSynchronised.withLock { $0 = true }
    let after = wire.ask("status")["status"] as? [String: Any]
    let later = warnings(after)
    #expect(!later.contains("alarms go by it"))
    #expect(running.on { $0.table.isClockSynchronised })
  }

  @Test("notices that the clock was set before the kernel tells, whatever happens first")
  func untoldStep() throws {
    let running = try RunningService()
    let wire = running.connect()
    // At noon: tomorrow.
    wire.ask("schedule", daily(1, "11:30"))
    #expect(wire.next == "2040-03-02T11:30:00.000Z")
    running.clocks.step(.seconds(-3_600))
    wire.ask("schedule", timerKeys(2, seconds: 86_400 * 3))
    running.on { $0.clockStepped() }
    #expect(wire.next == "2040-03-01T11:30:00.000Z")
  }

  @Test("rings what was stepped over a little, and tells of the rest")
  func steps() throws {
    let running = try RunningService()
    let subscriber = running.connect()
    subscriber.ask("subscribe")
    _ = subscriber.object()
    let wire = running.connect()
    wire.ask("schedule", daily(1, "12:30"))
    running.clocks.step(.seconds(2_400))
    running.on { $0.clockStepped() }
    let alert = subscriber.object()
    #expect(alert["type"] as? String == "alert" && alert["late"] as? Double == 600)
    wire.ask("stop", ["target": "alerting"])
    #expect(subscriber.object()["type"] as? String == "cleared")
    running.clocks.step(.seconds(90_000))
    running.on { $0.clockStepped() }
    let missed = subscriber.object()
    #expect(missed["type"] as? String == "missed" && missed["reason"] as? String == "late")
  }

  @Test("tells the service manager of the first thing that is due, whichever clock it is on")
  func statusLine() throws {
    let running = try RunningService()
    let wire = running.connect()
    #expect(running.on { $0.statusLine } == "no alarm is set")
    wire.ask("schedule", daily(1, "12:30"))
    #expect(running.on { $0.statusLine } == "1 alarm, next at 2040-03-01T12:30:00.000Z")
    wire.ask("schedule", timerKeys(2, seconds: 60))
    #expect(running.on { $0.statusLine } == "2 alarms, next at 2040-03-01T12:01:00.000Z")
    running.pass(.seconds(60))
    #expect(running.on { $0.statusLine } == "1 alarm rings")
    wire.ask("stop", ["target": "alerting"])
    wire.ask("disable", ["alarm": id(1)])
    #expect(running.on { $0.statusLine } == "1 alarm")
  }
}

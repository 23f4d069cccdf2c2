import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

private func keys(
  _ number: Int,
  _ time: String = "08:00",
  zone: String = "Land/City"
) -> [String: Any] {
  let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  let schedule: [String: Any] = ["time": time, "repeats": days, "zone": zone]
  return ["alarm": ["id": id(number), "title": "Call", "schedule": schedule]]
}

extension JoinedProgram {
  /// When the alarm rings of which something is told next.
  fileprivate var nextTold: String? {
    (wire.object()["alarm"] as? [String: Any])?["next"] as? String
  }

  /// Schedules an alarm, and takes in all that is said of it.
  fileprivate func schedule(_ keys: [String: Any]) -> String? {
    wire.write(Wire.request("schedule", keys))
    let lines = (0..<3).map { _ in wire.object() }
    #expect(lines.map { $0["type"] as? String } == ["changed", "alarm", "ok"])
    return (lines[1]["alarm"] as? [String: Any])?["next"] as? String
  }
}

// 2040-03-01, noon UTC, is before any change to summer time: Berlin is at +1, New York at -5, Tokyo at +9.
private let berlin = "2040-03-02T07:00:00.000Z"
private let newYork = "2040-03-01T13:00:00.000Z"
private let tokyo = "2040-03-01T23:00:00.000Z"

@Suite("The files of zones that alarms name", .timeLimit(.minutes(10)))
struct ZoneFileTests {
  @Test("are followed when they are replaced, without a request")
  func replaced() throws {
    let folder = try ZoneFolder(city: "Europe/Berlin")
    let running = try folder.run()
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(1)) == berlin)
    try folder.put("America/New_York", as: "Land/City")
    #expect(program.nextTold == newYork)
    #expect(running.log.all.contains { $0.contains("time zone Land/City has new rules") })
    // The same rules once more are no reason to say anything.
    try folder.put("America/New_York", as: "Land/City")
    try folder.put("Asia/Tokyo", as: "Land/City")
    #expect(program.nextTold == tokyo)
    #expect(running.on { $0.statusLine } == "1 alarm, next at \(tokyo)")
    #expect(running.on { $0.table.deadlines(now: $0.now).wall?.rfc3339 } == tokyo)
  }

  @Test("leave the rules as they were while damaged or gone, and say so once; mended they count")
  func damaged() throws {
    let folder = try ZoneFolder(city: "Europe/Berlin")
    let whole = try folder.bytes("Land/City")
    let running = try folder.run()
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(1)) == berlin)
    try folder.put(whole.prefix(whole.count / 2), as: "Land/City")
    let file = "\(folder.path)/Land/City"
    #expect(running.log.wait(for: "\(file) is damaged"))
    try folder.put(Data("nonsense".utf8), as: "Land/City")
    folder.remove("Land/City")
    while !running.on({ $0.warnings[.zoneFile]?.contains("cannot be read") ?? false }) {}
    let status = running.connect().ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("\(file) cannot be read"))
    #expect(warnings(status).contains("alarms in time zone Land/City keep to the rules it had"))
    #expect(running.on { $0.statusLine } == "1 alarm, next at \(berlin)")
    #expect(running.log.all.count { $0.contains(file) } == 1)
    #expect(running.log.all.count { $0.contains("installing the package tzdata again") } == 1)
    try folder.put("Asia/Tokyo", as: "Land/City")
    #expect(program.nextTold == tokyo)
    #expect(running.log.all.contains { $0.contains("time zone Land/City is good again") })
    #expect(running.on { $0.warnings[.zoneFile] } == nil)
  }

  @Test("are waited for where there was none at the start, in a folder that comes and goes")
  func missingAtStart() throws {
    let folder = try ZoneFolder(city: "Europe/Berlin")
    let store = Shelf()
    let before = try folder.run(.file(store.path))
    #expect(JoinedProgram(before, "calls", follow: true).schedule(keys(1)) == berlin)
    before.end()
    folder.remove("Land/City")
    #expect(rmdir(folder.path + "/Land") == 0)
    let running = try folder.run(.file(store.path))
    #expect(running.log.wait(for: "alarms in time zone Land/City wait for it"))
    let program = JoinedProgram(running, "calls", follow: true)
    for (zone, next) in [("Asia/Tokyo", tokyo), ("Europe/Berlin", berlin)] {
      #expect(mkdir(folder.path + "/Land", 0o700) == 0)
      try folder.put(zone, as: "Land/City")
      #expect(program.nextTold == next)
      folder.remove("Land/City")
      #expect(rmdir(folder.path + "/Land") == 0)
    }
    #expect(running.on { $0.statusLine } == "1 alarm, next at \(berlin)")
  }

  @Test("are followed through links, to the file and to its folder, that come to lead elsewhere")
  func links() throws {
    let folder = try ZoneFolder()
    let other = try ZoneFolder()
    try folder.put("Europe/Berlin", as: "Berlin")
    try other.put("America/New_York", as: "City")
    #expect(symlink("../Berlin", folder.path + "/Land/City") == 0)
    let running = try folder.run()
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(1)) == berlin)
    // What the link leads to.
    try folder.put("Asia/Tokyo", as: "Berlin")
    #expect(program.nextTold == tokyo)
    // The link.
    #expect(symlink(other.path + "/City", folder.path + "/new") == 0)
    #expect(rename(folder.path + "/new", folder.path + "/Land/City") == 0)
    #expect(program.nextTold == newYork)
    // What it leads to now.
    try other.put("Europe/Berlin", as: "City")
    #expect(program.nextTold == berlin)
    // The folder becomes a link.
    try other.put("Asia/Tokyo", as: "City")
    #expect(program.nextTold == tokyo)
    try other.put("Europe/Berlin", as: "Land/City")
    #expect(symlink(other.path + "/Land", folder.path + "/new") == 0)
    #expect(rename(folder.path + "/Land", folder.path + "/Old") == 0)
    #expect(rename(folder.path + "/new", folder.path + "/Land") == 0)
    #expect(program.nextTold == berlin)
    try other.put("America/New_York", as: "Land/City")
    #expect(program.nextTold == newYork)
  }

  @Test("are others where the folder of all zones is a link that comes to lead elsewhere")
  func linkedFolder() throws {
    let (old, new, place) = (try ZoneFolder(), try ZoneFolder(), Shelf())
    for name in ["Land/City", "Land/Home"] { try old.put("Europe/Berlin", as: name) }
    for name in ["Land/City", "Land/Home"] { try new.put("Asia/Tokyo", as: name) }
    let link = place.directory + "/zones"
    #expect(symlink(old.path, link) == 0)
    let running = try RunningService { $0.environment = ["TZ": "Land/Home", "TZDIR": link] }
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(1)) == berlin)
    #expect(symlink(new.path, link + ".new") == 0)
    #expect(rename(link + ".new", link) == 0)
    #expect(program.nextTold == tokyo)
    #expect(running.log.all.contains { $0.contains("the time zone is Land/Home now, or has new") })
    try new.put("Europe/Berlin", as: "Land/City")
    #expect(program.nextTold == berlin)
    try new.put("America/New_York", as: "Land/Home")
    #expect(running.log.wait(for: "the time zone is Land/Home now, or has new"))
  }

  @Test("are known by the list of names, in whatever letters an alarm names them")
  func otherLetters() throws {
    let folder = try ZoneFolder()
    let list = Data("Z Land/City 1 - C\nZ Land/Port 1 - P\n".utf8)
    try folder.put(list, as: "tzdata.zi")
    try folder.put("Europe/Berlin", as: "Land/City")
    let running = try folder.run()
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(1, zone: "land/CITY")) == berlin)
    try folder.put("Asia/Tokyo", as: "Land/City")
    #expect(program.nextTold == tokyo)
    // A link by that very name comes before the list.
    #expect(symlink("Land", folder.path + "/land") == 0)
    try folder.put("America/New_York", as: "Land/CITY")
    try folder.put(list, as: "tzdata.zi")
    #expect(program.nextTold == newYork)
    try folder.put("Europe/Berlin", as: "Land/CITY")
    #expect(program.nextTold == berlin)
  }

  @Test("are not watched any more when the last alarm has gone, and no more than their folders are")
  func unwatched() throws {
    let folder = try ZoneFolder()
    for number in 0..<20 { try folder.put("Europe/Berlin", as: "Land/City\(number)") }
    let running = try folder.run()
    let wire = running.connect()
    let watches = { running.on { $0.watcher?.watchCount ?? -1 } }
    let before = watches()
    for _ in 0..<5 {
      for number in 0..<20 {
        let zone = "Land/City\(number)"
        #expect(wire.ask("schedule", keys(number, zone: zone))["type"] as? String == "ok")
      }
      #expect(watches() == before + 1)
      // Another zone, and none that there is.
      wire.ask("update", keys(0, zone: "UTC"))
      #expect(wire.ask("schedule", keys(99, zone: "Land/Elsewhere"))["type"] as? String == "error")
      #expect(running.on { $0.followedZones.paths.count } == 20)
      #expect(running.on { $0.zones.count } == 20)
      wire.ask("cancel", ["target": "all"])
      #expect(watches() == before)
      #expect(running.on { $0.followedZones.paths.isEmpty && $0.zones.count == 0 })
    }
    // What nobody used meanwhile is read anew.
    try folder.put("Asia/Tokyo", as: "Land/City0")
    let alarm = JoinedProgram(running, "calls", follow: true)
    #expect(alarm.schedule(keys(0, zone: "Land/City0")) == tokyo)
  }

  @Test("are looked at once for many that are replaced in one go")
  func burst() throws {
    let folder = try ZoneFolder()
    for number in 0..<30 { try folder.put("Europe/Berlin", as: "Land/City\(number)") }
    let running = try folder.run()
    let wire = running.connect()
    for number in 0..<30 { wire.ask("schedule", keys(number, zone: "Land/City\(number)")) }
    let program = JoinedProgram(running, "calls", follow: true)
    #expect(program.schedule(keys(30, zone: "Land/City0")) == berlin)
    // The loop stands still while it happens.
    running.on { _ in
      for number in 0..<30 {
        do { try folder.put("Asia/Tokyo", as: "Land/City\(number)") } catch { Issue.record(error) }
      }
    }
    #expect(program.nextTold == tokyo)
    #expect(running.log.all.count { $0.contains("has new rules") } == 30)
    program.wire.write(Wire.request("next"))
    #expect(program.lines(1) == ["alarm scheduled"])
  }

  @Test("ring an alarm once for a date, whichever way its rules change around it")
  func once() throws {
    let folder = try ZoneFolder(city: "Europe/Berlin")
    let running = try folder.run()
    let program = JoinedProgram(running, "calls", follow: true)
    let sink = AttachedSink(running, "speaker", audible: true)
    // In a minute, at 13:01 in Berlin.
    #expect(program.schedule(keys(1, "13:01")) == "2040-03-01T12:01:00.000Z")
    running.pass(.seconds(60))
    sink.next("alert")
    #expect(program.nextTold == "2040-03-01T12:01:00.000Z")
    running.connect().ask("stop", ["alarm": id(1)])
    #expect(program.nextTold == "2040-03-02T12:01:00.000Z")
    // 13:01 comes again today in New York, but that date has rung.
    try folder.put("America/New_York", as: "Land/City")
    #expect(program.nextTold == "2040-03-02T18:01:00.000Z")
    // Of the second it is over in Tokyo when the rules come: it does not ring, the third does.
    running.pass(.seconds(20 * 3_600))
    try folder.put("Asia/Tokyo", as: "Land/City")
    #expect(program.nextTold == "2040-03-03T04:01:00.000Z")
    #expect(running.on { $0.table.alertingCount } == 0)
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// Zones that get other rules while alarms name them.
@Suite("Other rules of a zone that an alarm names")
struct OtherRulesTests {
  /// Stands for the file of "There", which is replaced.
  private final class File: @unchecked Sendable {
    private let files = ZoneFiles()
    /// It is safe because only the test's own thread calls.
    var rules = "Europe/Berlin"

    func zone(_ name: String) -> Zone? { files.zone(name == "There" ? rules : name) }
  }

  private let file = File()
  private let local: Zone
  private var world: VirtualWorld

  init() throws {
    local = try #require(file.zone("UTC"))
    let start = try #require(Instant(rfc3339: "2027-05-03T04:00:00Z"))
    let table = AlarmTable(zones: Zones(local: local, named: { [file] in file.zone($0) }))
    world = VirtualWorld(table: table, start: start)
  }

  private func alarm(_ number: UInt64, zone: String?) throws -> Alarm {
    let time = try #require(TimeOfDay("07:00"))
    var alarm = Alarm(
      id: AlarmID(high: 0xA4000, low: 1 << 63 | number),
      title: "Call",
      schedule: .wall(WallSchedule(time: time, days: .weekly(.everyDay), zone: zone))
    )
    alarm.options.autoSnooze = 0
    return alarm
  }

  private mutating func change(to rules: String) -> [String] {
    file.rules = rules
    return rings(world.happen(.zoneChanged(local)))
  }

  private func rings(_ happenings: [VirtualWorld.Happening]) -> [String] {
    happenings.compactMap {
      guard case .present(let event) = $0.effect, event.state == .alerting else { return nil }
      return event.due.rfc3339
    }
  }

  private var next: String? { world.table.next(of: nil)?.next?.rfc3339 }

  @Test("move its next time, and that of no other")
  mutating func moved() throws {
    _ = world.happen(.schedule(try alarm(1, zone: "There"), source: "test"))
    _ = world.happen(.schedule(try alarm(2, zone: nil), source: "test"))
    #expect(next == "2027-05-03T05:00:00.000Z")
    file.rules = "America/New_York"
    let happenings = world.happen(.zoneChanged(local))
    let saved = happenings.compactMap {
      if case .save(let record) = $0.effect { record.alarm.id.low & 0xFF } else { nil }
    }
    #expect(saved == [1])
    #expect(
      rings(world.advance(by: .seconds(24 * 3_600))).sorted() == [
        "2027-05-03T07:00:00.000Z", "2027-05-03T11:00:00.000Z",
      ]
    )
  }

  @Test("neither ring nor lose a date, whichever side of the alarm they come on")
  mutating func around() throws {
    _ = world.happen(.schedule(try alarm(1, zone: "There"), source: "test"))
    // Half an hour before it is due, its time is over by the new rules.
    _ = world.advance(by: .seconds(1_800))
    #expect(change(to: "Asia/Tokyo").isEmpty)
    #expect(next == "2027-05-03T22:00:00.000Z")
    // That date has not rung, so by the old rules it still may.
    #expect(change(to: "Europe/Berlin").isEmpty)
    #expect(rings(world.advance(by: .seconds(3_600))) == ["2027-05-03T05:00:00.000Z"])
    // Rung, it does not come again farther west.
    #expect(change(to: "America/New_York").isEmpty)
    #expect(next == "2027-05-04T11:00:00.000Z")
    #expect(change(to: "Europe/Berlin").isEmpty)
    #expect(rings(world.advance(by: .seconds(24 * 3_600))) == ["2027-05-04T05:00:00.000Z"])
  }

  @Test("are asked for as long as an alarm names the zone")
  mutating func uses() throws {
    #expect(world.table.zoneUses.names.isEmpty)
    let first = world.table.zoneUses.generation
    for number in 1...2 as ClosedRange<UInt64> {
      _ = world.happen(.schedule(try alarm(number, zone: "There"), source: "test"))
    }
    #expect(Array(world.table.zoneUses.names) == ["There"])
    let both = world.table.zoneUses.generation
    #expect(both != first)
    // Refused: there is such an alarm.
    _ = world.happen(.schedule(try alarm(2, zone: "Asia/Tokyo"), source: "test"))
    _ = world.happen(.update(try alarm(1, zone: nil), source: "test"))
    #expect(world.table.zoneUses.generation == both)
    _ = world.happen(.update(try alarm(1, zone: "Asia/Tokyo"), source: "test"))
    #expect(Set(world.table.zoneUses.names) == ["There", "Asia/Tokyo"])
    _ = world.happen(.intent(Intent(.cancel, .all), source: "test"))
    #expect(world.table.zoneUses.names.isEmpty)
  }
}

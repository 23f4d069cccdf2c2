import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// Clocks that are wrong by years, though they count as trusted: a battery clock may say anything.
@Suite("Clocks that are years wrong")
struct WrongClockTests {
  private static let wrong: Duration = .seconds(30 * 365 * 86_400)

  private func world(in zone: String = "Europe/Berlin") throws -> VirtualWorld {
    let zones = ZoneFiles()
    let local = try #require(zones.zone(zone))
    let start = try #require(Instant(rfc3339: "2027-05-03T12:00:00Z"))
    let table = AlarmTable(zones: Zones(local: local, named: { zones.zone($0) }))
    var world = VirtualWorld(table: table, start: start)
    let time = try #require(TimeOfDay("07:00"))
    let alarm = Alarm(
      id: AlarmID(high: 0xA4000, low: 1 << 63),
      title: "Wake",
      schedule: .wall(WallSchedule(time: time, days: .weekly(.everyDay)))
    )
    _ = world.happen(.schedule(alarm, source: "test"))
    return world
  }

  private func rings(_ happenings: [VirtualWorld.Happening]) -> [String] {
    happenings.compactMap {
      guard case .present(let event) = $0.effect, event.state == .alerting, event.snoozes == 0
      else { return nil }
      return event.due.rfc3339
    }
  }

  @Test("Thirty years forward are one missed notice, and few effects")
  func forward() throws {
    var world = try world()
    let happenings = world.step(by: Self.wrong)
    let missed = happenings.filter { if case .miss = $0.effect { true } else { false } }
    #expect(missed.count == 1 && happenings.count < 6)
  }

  @Test("A clock that was years ahead, rang and is put right, rings the next morning")
  func back() throws {
    var world = try world()
    _ = world.step(by: Self.wrong)
    #expect(rings(world.advance(by: .seconds(2 * 86_400))).count == 2)
    _ = world.step(by: .zero - Self.wrong)
    #expect(rings(world.advance(by: .seconds(86_400))) == ["2027-05-06T05:00:00.000Z"])
  }

  @Test("One that is put right while the daemon is down rings the next morning too")
  func backWhileDown() throws {
    var world = try world()
    _ = world.step(by: Self.wrong)
    #expect(rings(world.advance(by: .seconds(2 * 86_400))).count == 2)
    let start = try #require(Instant(rfc3339: "2027-05-05T20:00:00Z"))
    var later = VirtualWorld(
      table: AlarmTable(zones: world.table.zones),
      start: start
    )
    _ = later.restart(with: Array(world.records.values))
    #expect(rings(later.advance(by: .seconds(86_400))) == ["2027-05-06T05:00:00.000Z"])
  }

  @Test("Off while the clock was put right, it rings the next morning once it is on again")
  func backWhileOff() throws {
    var world = try world()
    _ = world.step(by: Self.wrong)
    #expect(rings(world.advance(by: .seconds(2 * 86_400))).count == 2)
    _ = world.happen(.intent(Intent(.disable, .named("Wake")), source: "test"))
    _ = world.step(by: .zero - Self.wrong)
    _ = world.happen(.intent(Intent(.enable, .all), source: "test"))
    #expect(rings(world.advance(by: .seconds(86_400))) == ["2027-05-06T05:00:00.000Z"])
  }

  @Test(
    "Less than a day back and as far west as one can be, no date rings twice, nor after a restart"
  )
  func farWest() throws {
    var world = try world(in: "Pacific/Kiritimati")
    #expect(
      rings(world.advance(by: .seconds(30 * 3_600))) == [
        "2027-05-03T17:00:00.000Z", "2027-05-04T17:00:00.000Z",
      ]
    )
    _ = world.step(by: .seconds(-19 * 3_600))
    let west = try #require(ZoneFiles().zone("Pacific/Pago_Pago"))
    // There it is the third of May, and what rang was the fifth's.
    _ = world.happen(.zoneChanged(west))
    var happenings = world.restart(after: .seconds(60))
    happenings += world.advance(by: .seconds(3 * 86_400))
    #expect(rings(happenings) == ["2027-05-06T18:00:00.000Z"])
  }

  @Test("An hour set back while the daemon is down repeats nothing and loses nothing")
  func anHourWhileDown() throws {
    var world = try world()
    #expect(rings(world.advance(by: .seconds(17 * 3_600 + 600))).count == 1)
    let start = try #require(Instant(rfc3339: "2027-05-04T04:30:00Z"))
    var later = VirtualWorld(table: AlarmTable(zones: world.table.zones), start: start)
    let stopped = world.records.values.map { record in
      var record = record
      record.activity = nil
      return record
    }
    _ = later.restart(with: stopped)
    #expect(rings(later.advance(by: .seconds(2 * 86_400))).count == 1)
  }

  @Test("Booted in 1970 and put right 57 years later, it misses at most one and rings on")
  func epoch() throws {
    var world = try world()
    let records = Array(world.records.values)
    let zones = world.table.zones
    world = VirtualWorld(table: AlarmTable(zones: zones), start: Instant(microseconds: 5_000_000))
    _ = world.happen(.clockSynchronised(false))
    #expect(rings(world.restart(with: records)).isEmpty)
    #expect(rings(world.advance(by: .seconds(60))).isEmpty)
    let right = try #require(Instant(rfc3339: "2027-05-05T20:00:00Z"))
    let step = right.microseconds - world.now.wall.microseconds
    var happenings = world.step(by: .microseconds(step))
    happenings += world.happen(.clockSynchronised(true))
    #expect(happenings.count { if case .miss = $0.effect { true } else { false } } <= 1)
    #expect(rings(world.advance(by: .seconds(86_400))) == ["2027-05-06T05:00:00.000Z"])
  }

  @Test("Started on a clock that stands in the past, it misses nothing of the time between")
  func oldClock() throws {
    let before = try world()
    let old = try #require(Instant(rfc3339: "2027-05-03T02:00:00Z"))
    var world = VirtualWorld(table: AlarmTable(zones: before.table.zones), start: old)
    _ = world.happen(.clockSynchronised(false))
    #expect(rings(world.restart(with: Array(before.records.values))).isEmpty)
    var happenings = world.step(by: .seconds(18 * 3_600))
    happenings += world.happen(.clockSynchronised(true))
    #expect(!happenings.contains { if case .miss = $0.effect { true } else { false } })
    #expect(rings(world.advance(by: .seconds(86_400))) == ["2027-05-04T05:00:00.000Z"])
  }
}

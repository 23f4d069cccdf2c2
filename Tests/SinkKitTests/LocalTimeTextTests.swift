import SinkKit
import Testing

@Suite struct LocalTimeTextTests {
  /// 2027-01-15 07:00:00 UTC, a Friday.
  private static let seven = Instant(seconds: 1_799_996_400)

  private func after(_ hours: Int64) -> Instant { Self.seven + .seconds(hours * 3_600) }

  @Test("Midnight and noon are 00 and 12")
  func midnight() {
    #expect(LocalTimeText.utc.withMinutes(after(-7)) == "00:00")
    #expect(LocalTimeText.utc.withSeconds(after(5) + .seconds(1)) == "12:00:01")
    #expect(LocalTimeText { _ in -3_600 * 8 }.withMinutes(Self.seven) == "23:00")
    #expect(LocalTimeText.utc.withSeconds(Instant(microseconds: -1)) == "23:59:59")
  }

  @Test("The day stands there if it is not today's, by the zone's calendar")
  func day() {
    let utc = LocalTimeText.utc
    #expect(utc.withDay(Self.seven, at: after(16)) == "07:00")
    #expect(utc.withDay(Self.seven, at: after(17)) == "Fri 15 Jan 07:00")
    #expect(utc.withDay(after(-8), at: Self.seven) == "Thu 14 Jan 23:00")
    let west = LocalTimeText { _ in -3_600 * 8 }
    #expect(west.withDay(Self.seven, at: after(1)) == "Thu 14 Jan 23:00")
    #expect(utc.withDay(Instant(seconds: -1), at: Self.seven) == "Wed 31 Dec 23:59")
  }
}

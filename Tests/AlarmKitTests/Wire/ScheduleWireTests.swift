import AlarmKit
import Testing
import TocsinModel
import TocsinTime

private typealias Said = AlarmKit.Alarm.Schedule

@Suite("A schedule in the service's words")
struct ScheduleWireTests {
  private func relative(
    _ hour: Int,
    _ minute: Int,
    _ repeats: AlarmKit.Alarm.Schedule.Relative.Recurrence = .never
  ) -> AlarmKit.Alarm.Schedule {
    .relative(
      AlarmKit.Alarm.Schedule.Relative(time: Sample.time(hour, minute), repeats: repeats)
    )
  }

  @Test("is the time and the days that were said")
  func relative() throws {
    let time = try #require(TimeOfDay("07:05"))
    #expect(try relative(7, 5).wire() == .wall(WallSchedule(time: time)))
    #expect(
      try relative(7, 5, .weekly([.sunday, .monday, .sunday])).wire()
        == .wall(WallSchedule(time: time, days: .weekly([.mon, .sun])))
    )
    #expect(try relative(0, 0).wire() == .wall(WallSchedule(time: .midnight)))
    let all: [Locale.Weekday] = [
      .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
    ]
    for (index, day) in all.enumerated() {
      let set = WeekdaySet(rawValue: 1 << UInt8(index))
      let schedule = try relative(7, 5, .weekly([day])).wire()
      #expect(schedule == .wall(WallSchedule(time: time, days: .weekly(set))))
      #expect(Said(schedule, next: nil) == relative(7, 5, .weekly([day])))
    }
  }

  @Test("is the instant, to the next millisecond and never before it")
  func fixed() throws {
    let dates: [(Double, Int64)] = [
      (0, 0), (1_800_000_000.25, 1_800_000_000_250_000),
      (1_800_000_000.250_4, 1_800_000_000_251_000), (-1.5, -1_500_000),
      (1_765_000_000.123, 1_765_000_000_123_000),
    ]
    for (seconds, microseconds) in dates {
      let schedule = try Said.fixed(Date(timeIntervalSince1970: seconds)).wire()
      #expect(schedule == .fixed(Instant(microseconds: microseconds)))
    }
  }

  @Test("is none for what no clock shows")
  func refused() {
    for hour in [-1, 24, 100, .min, .max] {
      #expect(throws: AlarmConfigurationError.hour(hour)) { try relative(hour, 0).wire() }
    }
    for minute in [-1, 60, .min, .max] {
      #expect(throws: AlarmConfigurationError.minute(minute)) { try relative(0, minute).wire() }
    }
    #expect(throws: AlarmConfigurationError.noWeekdays) { try relative(7, 0, .weekly([])).wire() }
    let seconds: [Double] = [.infinity, -.infinity, 1e15, -1e15, 253_402_300_800]
    for seconds in seconds {
      #expect(throws: AlarmConfigurationError.date(secondsSince1970: seconds)) {
        try Said.fixed(Date(timeIntervalSince1970: seconds)).wire()
      }
    }
    #expect(throws: AlarmConfigurationError.self) {
      try Said.fixed(Date(timeIntervalSince1970: .nan)).wire()
    }
  }

  @Test("that was made by other means is the nearest that Apple has words for")
  func nearest() throws {
    let time = try #require(TimeOfDay("07:05:30"))
    let next = Instant(seconds: 1_800_000_000)
    let date = Said.fixed(Date(timeIntervalSince1970: 1_800_000_000))
    func said(_ days: WallSchedule.Days, zone: String? = nil) -> AlarmKit.Alarm.Schedule? {
      Said(.wall(WallSchedule(time: time, days: days, zone: zone)), next: next)
    }
    #expect(said(.once) == relative(7, 5))
    #expect(said(.weekly(.weekends)) == relative(7, 5, .weekly([.saturday, .sunday])))
    #expect(said(.once, zone: "Asia/Tokyo") == date)
    #expect(said(.weekly(.weekdays), zone: "Asia/Tokyo") == date)
    #expect(said(.on(CivilDate(daysSince1970: 20_000))) == date)
    let firsts = try #require(CalendarDays("*-*-01"))
    #expect(said(.calendar(firsts)) == date)
    #expect(
      Said(.wall(WallSchedule(time: time, days: .once, zone: "Asia/Tokyo")), next: nil) == nil
    )
    #expect(Said(.fixed(next), next: nil) == date)
  }
}

import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private let now = instant("2026-12-01T06:00:00Z")

private func berlin() throws -> Zone {
  try TimeReading(environment: [:]).zone(named: "Europe/Berlin")
}

private func wall(_ hour: Int, _ days: WallSchedule.Days, zone: String? = nil) -> Schedule {
  .wall(WallSchedule(time: TimeOfDay(secondOfDay: hour * 3_600), days: days, zone: zone))
}

private func snooze(until fire: Instant?, total: Double, elapsed: Double) -> Presentation.Countdown
{
  Presentation.Countdown(start: fire, fire: fire, total: total, elapsed: elapsed, snooze: true)
}

@Suite("Alarms in lists")
struct AlarmTableTests {
  private static let alarms: [AlarmStatus] = [
    status(0x1b4e_0000, "Wake up", .alerting, schedule: wall(7, .weekly(.weekdays))) {
      $0.due = instant("2026-12-01T06:00:00Z")
      $0.scheduled = instant("2026-12-02T06:00:00Z")
    },
    status(0x1b4f_0000, "Nap", .countdown) {
      $0.next = instant("2026-12-01T06:09:05Z")
      $0.countdown = snooze(until: instant("2026-12-01T06:09:05Z"), total: 545, elapsed: 0)
    },
    status(0x2000_0000, "Tea", .countdown) { $0.next = instant("2026-12-01T06:04:10Z") },
    status(0x3000_0000, "Bread", .paused) {
      $0.countdown = Presentation.Countdown(
        start: nil,
        fire: nil,
        total: 600,
        elapsed: 350,
        snooze: false
      )
    },
    status(0x4000_0000, "Gym", schedule: wall(18, .weekly([.mon, .wed]))) {
      $0.next = instant("2026-12-09T17:00:00Z")
      $0.skips = CivilDate("2026-12-07")
    },
    status(0x5000_0000, "Off", schedule: wall(6, .once, zone: "Asia/Tokyo")) {
      $0.alarm.isEnabled = false
    },
    status(0x6000_0000, "日本語のとても長い題名です", schedule: .fixed(instant("2027-01-01T00:00:00Z"))) {
      $0.next = instant("2027-01-01T00:00:00Z")
    },
  ]

  @Test("a terminal gets a table, the title cut to keep it within the width")
  func table() throws {
    let table = AlarmRows(zone: try berlin(), now: now).table(Self.alarms)
    #expect(
      table.rendered(width: 95, flexible: 4, colors: false) == """
        ID    NEXT                  LEFT        STATE                   TITLE           REPEATS
        1b4e  -                     -           ringing since 07:00     Wake up         weekdays
        1b4f  Tue 1 Dec 07:09:05    9 min 5 s   snoozed until 07:09:05  Nap             timer
        2000  Tue 1 Dec 07:04:10    4 min 10 s  counting down           Tea             timer
        3000  -                     -           paused, 4:10 left       Bread           timer
        4000  Wed 9 Dec 18:00       8 d 11 h    skips Mon 7 Dec         Gym             Mon,Wed
        5000  -                     -           disabled                Off             once Asia/Tokyo
        6000  Fri 1 Jan 2027 01:00  30 d 18 h   scheduled               日本語のとて…   once

        """
    )
  }

  @Test("a pipe gets whole values with tabs between")
  func tabSeparated() throws {
    let lines = AlarmRows(zone: try berlin(), now: now).table(Self.alarms).tabSeparated
      .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(lines.count == 7)
    #expect(lines.allSatisfy { $0.count == 6 })
    #expect(lines[1][1] == "2026-12-01T06:09:05.000Z")
    #expect(lines[1][2] == "545")
    #expect(lines[1][3] == "snoozed until 07:09:05")
    #expect(AlarmID(String(lines[6][0])) == Self.alarms[6].alarm.id)
    #expect(lines[6][4] == "日本語のとても長い題名です")
  }

  @Test("titles cannot break lines, columns or the terminal")
  func hostile() {
    var table = Table(["A", "B"])
    table.rows.append([.init("x\ty\nz"), .init("\u{1b}[31m\u{202e}evil\u{7}")])
    #expect(table.tabSeparated == "x y z\t?[31m?evil?\n")
  }

  @Test("colours stand around cells, and leave their places alone")
  func colors() throws {
    let table = AlarmRows(zone: try berlin(), now: now).table([Self.alarms[0]])
    let colored = table.rendered(width: 200, flexible: 4, colors: true)
    #expect(colored.contains("\u{1b}[31mringing since 07:00\u{1b}[0m"))
    let plain = table.rendered(width: 200, flexible: 4, colors: false)
    #expect(!plain.contains("\u{1b}"))
    #expect(
      ["0", "2", "31"].reduce(colored) { $0.replacing("\u{1b}[\($1)m", with: "") } == plain
    )
  }

  @Test("identities are cut as short as they stay apart, at four characters")
  func shortest() {
    #expect(shortIDs([]) == [])
    #expect(shortIDs([id(0x1b4e_0000)]) == ["1b4e"])
    #expect(shortIDs([id(0x1b4e_0000), id(0x1b4f_0000)]) == ["1b4e", "1b4f"])
    #expect(
      shortIDs([id(0x1b4e_2000), id(0x1b4e_2100), id(0x9000_0000)]) == ["1b4e20", "1b4e21", "9000"]
    )
    let same = AlarmID(high: 7, low: 1)
    #expect(
      shortIDs([same, AlarmID(high: 7, low: 2)]).map(\.count) == [36, 36]
    )
  }

  @Test("all about an alarm")
  func details() throws {
    var status = Self.alarms[4]
    status.note = "note"
    status.alarm.countdown.postAlert = 540
    status.alarm.options.volume = 0.8
    status.alarm.options.ringFor = 0
    let lines = AlarmRows(zone: try berlin(), now: now).details(status)
    let text = aligned(lines, style: .plain, colors: false)
    #expect(
      text == """
        ID         40000000-0000-0000-0000-000040000000
        Title      Gym
        State      skips Mon 7 Dec
        Next       Wed 9 Dec 18:00 (in 8 d 11 h)
        Note       note
        Time       18:00
        Repeats    Mon,Wed
        Snooze     9 min
        Volume     80%
        Rings for  until answered

        """
    )
  }

  @Test(
    "durations as a clock shows them",
    arguments: [
      (250.0, "4:10"), (0, "0:00"), (-3, "0:00"), (0.2, "0:01"), (3_600, "1:00:00"),
      (180_000, "2 d 2:00:00"), (.infinity, "11574074074 d 1:46:40"),
    ]
  )
  func clocks(seconds: Double, text: String) { #expect(Wording.clock(seconds) == text) }

  @Test(
    "lengths have two units and lose nothing to rounding",
    arguments: [
      (29_520.0, "8 h 12 min"), (599.9995, "10 min"), (45, "45 s"), (0.5, "500 ms"), (0, "0 s"),
      (-90, "-1 min 30 s"), (.nan, "for ever"),
    ]
  )
  func lengths(seconds: Double, text: String) { #expect(Wording.length(seconds) == text) }
}

import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

@Suite("Setting alarms and timers")
struct ScheduleTests {
  /// The time is Mon 30 Nov 2026 23:18 in Berlin.
  @Test(
    "what was understood is told back",
    arguments: [
      (
        ["alarm", "7:30", "Wake up", "--on", "weekdays"],
        "Wake up: Tue 1 Dec 07:30 (in 8 h 12 min), then every weekday"
      ),
      (["alarm", "7:30", "Wake", "up"], "Wake up: tomorrow, Tue 1 Dec 07:30 (in 8 h 12 min)"),
      (["alarm", "23:30"], "Alarm: Mon 30 Nov 23:30 (in 12 min)"),
      (["alarm", "23:18", "Now"], "Now: tomorrow, Tue 1 Dec 23:18 (in 1 d)"),
      (["alarm", "tomorrow", "7am", "Go"], "Go: Tue 1 Dec 07:00 (in 7 h 42 min)"),
      (["alarm", "in", "10", "min", "Tea"], "Tea: Mon 30 Nov 23:28 (in 10 min)"),
      (["alarm", "7:30", "--on", "mon,wed"], "Alarm: Wed 2 Dec 07:30 (in 1 d 8 h), then Mon, Wed"),
      (
        ["alarm", "7:30", "--on", "mon-fri"],
        "Alarm: Tue 1 Dec 07:30 (in 8 h 12 min), then every weekday"
      ),
      (
        ["alarm", "7:30", "--on", "daily"], "Alarm: Tue 1 Dec 07:30 (in 8 h 12 min), then every day"
      ),
      (
        ["alarm", "9:00", "Ski", "--date", "2027-01-02"], "Ski: Sat 2 Jan 2027 09:00 (in 32 d 9 h)"
      ),
      (
        ["alarm", "7:00", "Call", "--tz", "Asia/Tokyo"],
        "Call: tomorrow, Wed 2 Dec 07:00 Asia/Tokyo = Tue 1 Dec 23:00 here (in 23 h 42 min)"
      ),
      (
        ["alarm", "7:00 Asia/Tokyo", "Call"],
        "Call: tomorrow, Wed 2 Dec 07:00 Asia/Tokyo = Tue 1 Dec 23:00 here (in 23 h 42 min)"
      ),
      (
        ["alarm", "7:30", "--pre", "10m", "--disabled"],
        "Alarm: tomorrow, Tue 1 Dec 07:30 (in 8 h 12 min); counts down 10 min before; disabled, so "
          + "it does not ring"
      ),
      (["timer", "10m", "Tea"], "Tea: 10 min, rings at 23:28:00"),
      (["timer", "1h", "30m", "Bread"], "Bread: 1 h 30 min, rings at Tue 1 Dec 00:48"),
      (["timer", "1:30:00"], "Timer: 1 h 30 min, rings at Tue 1 Dec 00:48"),
      (["timer", "0.5s"], "Timer: 500 ms, rings at 23:18:00"),
      (["timer", "36h"], "Timer: 1 d 12 h, rings at Wed 2 Dec 11:18"),
      (["timer", "7d"], "Timer: 7 d, rings at Mon 7 Dec 23:18"),
      (["timer", "90s", "5 eggs"], "5 eggs: 1 min 30 s, rings at 23:19:30"),
      (["timer", "--title", "Tea\tx\u{1b}[2J", "5 min"], "Tea x?[2J: 5 min, rings at 23:23:00"),
    ] as [([String], String)]
  )
  func echo(words: [String], line: String) {
    let (code, page) = dry(words)
    #expect(code == 0, "\(page.err)")
    #expect(page.out == line + " (dry run: nothing is set)\n")
  }

  @Test("several clocks make several alarms, told in their order")
  func several() throws {
    let (code, page) = dry(["alarm", "weekdays 6:00, 7:30", "Up", "--json"])
    #expect(code == 0)
    let alarms = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8)).alarms
    #expect(
      alarms.map(\.next?.rfc3339) == ["2026-12-01T05:00:00.000Z", "2026-12-01T06:30:00.000Z"]
    )
    #expect(Set(alarms.map(\.alarm.id)).count == 2)
    #expect(alarms.allSatisfy { $0.alarm.title == "Up" })
  }

  @Test("every option reaches the alarm")
  func options() throws {
    let (code, page) = dry([
      "alarm", "7:30", "Up", "--on", "weekends", "--tz", "europe/paris", "--sound", "bell",
      "--volume", "80%", "--fade", "30s", "--snooze", "9m", "--snooze-limit", "3", "--ring-for",
      "0s", "--auto-snooze", "2", "--priority", "-5", "--label", "a", "--label", "b", "--pre",
      "10m",
      "--id", "1B4E28BA-2FA1-4D2A-883F-0016D3CCA427", "--json",
    ])
    #expect(code == 0, "\(page.err)")
    let decoded = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8))
    #expect(decoded.schema == 1)
    let alarm = try #require(decoded.alarms.first?.alarm)
    var expected = Alarm(
      id: try #require(AlarmID("1b4e28ba-2fa1-4d2a-883f-0016d3cca427")),
      title: "Up",
      schedule: .wall(
        WallSchedule(
          time: try #require(TimeOfDay(hour: 7, minute: 30)),
          days: .weekly(.weekends),
          zone: "Europe/Paris"
        )
      ),
      countdown: CountdownDuration(preAlert: 600, postAlert: 540)
    )
    expected.options.sound = "bell"
    expected.options.volume = 0.8
    expected.options.fade = 30
    expected.options.snoozeLimit = 3
    expected.options.ringFor = 0
    expected.options.autoSnooze = 2
    expected.options.priority = -5
    expected.options.labels = ["a", "b"]
    #expect(alarm == expected)
  }

  @Test(
    "what cannot be is refused with the right code",
    arguments: [
      (["timer", "0s"], 65, "no time at all"),
      (["timer", "-5s"], 65, "negative"),
      (["timer", "10"], 65, "10m"),
      (["timer", "7:30", "Tea"], 65, "or tocsin alarm 7:30 for a time on the clock?"),
      (["timer", "500d"], 65, "400 days"),
      (["timer", "Tea"], 65, "Tea"),
      (["timer"], 64, "needs LENGTH"),
      (["alarm"], 64, "needs TIME"),
      (["alarm", "7"], 65, "7:00"),
      (["alarm", "7", "Tea"], 65, "\"7\""),
      (["alarm", "7/8 7:00"], 65, "7/8"),
      (["alarm", "2026-11-29 7:00"], 65, "ago"),
      (["alarm", "2026-11-30T22:17:59Z"], 65, "ago"),
      (["alarm", "7:00", "--on", "someday"], 65, "someday"),
      (["alarm", "7:00", "--date", "2026-02-30"], 65, "2026-02-30"),
      (["alarm", "2:30", "--date", "2027-03-28"], 65, "3:30"),
      (["alarm", "7:00", "--on", "mon", "--date", "2027-01-01"], 64, "leave one of them out"),
      (["alarm", "7:00", "--tz", "Europe/Berlim"], 65, "did you mean Europe/Berlin?"),
      (["alarm", "7:00 Asia/Tokyo", "--tz", "Europe/Berlin"], 64, "Asia/Tokyo"),
      (["alarm", "7:00", "--volume", "80"], 64, "did you mean 80%?"),
      (["alarm", "7:00", "--volume", "150%"], 64, "0% to 100%"),
      (["alarm", "7:00", "--volume", "nan%"], 64, "0% to 100%"),
      (["alarm", "7:00", "--volume", "-1"], 64, "0% to 100%"),
      (["alarm", "7:00", "--priority", "101"], 64, "-100 to 100"),
      (["alarm", "7:00", "--snooze", "0s"], 65, "--snooze"),
      (["alarm", "7:00", "--snooze-limit", "-1"], 64, "0 to 1000"),
      (["alarm", "7:00", "--id", "12"], 64, "UUID"),
      (["alarm", "6:00, 7:00", "--id", "1b4e28ba-2fa1-4d2a-883f-0016d3cca427"], 64, "--id"),
      (["alarm", "7:00", "--sound", "./missing.ogg"], 66, "./missing.ogg"),
    ] as [([String], Int32, String)]
  )
  func refused(words: [String], exit: Int32, part: String) {
    let (code, page) = dry(words)
    #expect(code == exit, "\(page.err)")
    #expect(page.out.isEmpty)
    #expect(page.err.contains(part), "\(page.err)")
  }

  @Test(
    "a sound is a name, an address, or a file, and one that may not be there is doubted",
    arguments: [
      ("bell", "bell", false), ("none", "none", false), ("alarm-clock-elapsed", nil, false),
      ("missing.ogg", "missing.ogg", true), ("http://example.org/radio.mp3", nil, false),
      (".", nil, false),
    ] as [(String, String?, Bool)]
  )
  func sounds(text: String, stored: String?, isDoubted: Bool) throws {
    let (code, page) = dry(["timer", "5s", "X", "--sound", text, "--json"])
    #expect(code == 0, "\(page.err)")
    let decoded = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8))
    let sound = decoded.alarms.first?.alarm.options.sound
    #expect(text == "." ? sound?.hasPrefix("/") == true : sound == stored ?? text)
    #expect(page.err.contains(text) == isDoubted, "\(page.err)")
  }

  @Test("a fixed moment that is exactly now still rings, one before it does not")
  func now() {
    let (code, page) = dry(["alarm", "2026-11-30T22:18:00Z"])
    #expect(code == 0)
    #expect(page.out.contains("(in 0 s)"))
  }

  @Test(
    "volumes are percent, or have a point",
    arguments: [("0%", 0), ("12.5%", 0.125), ("0.8", 0.8)]
  )
  func volumes(text: String, value: Double) throws {
    let (_, page) = dry(["timer", "1m", "--json", "--volume", text])
    let document = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8))
    #expect(document.alarms.first?.alarm.options.volume == value)
  }

  private func dry(_ words: [String]) -> (Int32, Page) {
    let page = Page()
    return (page.run(words + ["--dry-run"]), page)
  }
}

struct Document: Decodable {
  var schema: Int
  var alarms: [AlarmStatus]
}

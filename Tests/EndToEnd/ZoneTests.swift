import Testing
import TocsinModel
import TocsinTime

/// A machine without a time zone database.
@Suite(.timeLimit(.minutes(10)))
struct ZoneTests {
  private func place() throws -> Place {
    let place = try Place(Place.console)
    try place.makeDirectory("zones")
    place.environment["TZDIR"] = "\(place.directory)/zones"
    return place
  }

  @Test("the daemon says so, rings timers and instants, and refuses clock times with a remedy")
  func daemon() async throws {
    try await waiting {
      let place = try place()
      let daemon = try place.start(["tocsind"])
      #expect(try daemon.errors.line(with: "Europe/Berlin").contains("install the package tzdata"))
      try daemon.errors.wait(for: "listens on")
      try place.done("timer", "50ms", "Tea")
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Tea"))
      #expect(try place.done("stop") == "Tea: stopped\n")
      try place.done("alarm", "in 200ms", "Egg")
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      try place.done("snooze", "Egg", "--for", "1h")
      for words in [["alarm", "7:30", "Wake"], ["alarm", "weekdays 6:00"], ["when", "7:30"]] {
        let refused = try place.run(["tocsin"] + words)
        #expect(refused.code == 78)
        #expect(refused.err.contains("install the package tzdata"))
        // One sentence, not a warning and a refusal.
        #expect(refused.err.split(separator: "\n").count == 1)
      }
      let status = try place.tocsin("status")
      #expect(status.code == 0)
      #expect(status.out.contains("install the package tzdata"))
      for words in [["list"], ["next"], ["show", "Egg"], ["history"]] {
        #expect(try place.run(["tocsin"] + words).code == 0, "\(words)")
      }
      // Whoever asks the daemon without the command is refused as well.
      let wall = Alarm(
        id: newID(),
        title: "Wake",
        schedule: .wall(WallSchedule(time: try #require(TimeOfDay(hour: 7, minute: 30))))
      )
      #expect(throws: (any Error).self) { try place.connect().request(.schedule(wall)) }
      #expect(try place.alarms().map(\.alarm.title) == ["Egg"])
    }
  }

  @Test("the command that rings itself says it once, and rings")
  func embedded() async throws {
    try await waiting {
      let place = try place()
      let here = try place.start(["tocsin", "timer", "50ms", "Tea"])
      try here.output.wait(for: "TIMER")
      try place.done("stop")
      #expect(try here.exitCode() == 0)
      #expect(try here.errors.rest().components("times are shown in UTC") == 1)
    }
  }

  @Test("a stored clock alarm waits for the data and is neither lost nor missed")
  func waits() async throws {
    try await waiting {
      let place = try Place(Place.console)
      var daemon = try place.daemon()
      try place.done("alarm", "7:30", "Wake up", "--on", "weekdays")
      let before = try place.alarms()
      try daemon.crash()
      try place.makeDirectory("zones")
      daemon = try place.daemon(output: .nothing, ["TZDIR": "\(place.directory)/zones"])
      #expect(try place.alarms().map(\.next) == [nil])
      try daemon.crash()
      daemon = try place.daemon()
      #expect(try place.alarms() == before)
    }
  }
}

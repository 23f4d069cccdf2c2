import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

/// The command that rings by itself, because no daemon runs.
@Suite(.timeLimit(.minutes(10)))
struct EmbeddedTests {
  @Test("in a terminal: counts down, rings, snoozes by s, rings, stops by Enter, leaves no trace")
  func terminal() async throws {
    try await waiting {
      let place = try Place()
      let terminal = try Terminal(
        ["tocsin", "timer", "600ms", "Tea", "--snooze", "500ms"],
        environment: place.environment
      )
      try terminal.screen.wait(for: "Tea: 600 ms, rings at ")
      try terminal.screen.wait(for: "TIMER")
      #expect(!terminal.isRestored)
      try terminal.type("s")
      try terminal.screen.wait(for: "SNOOZED")
      try terminal.screen.wait(for: "TIMER")
      try terminal.type("\n")
      try terminal.screen.wait(for: "STOPPED")
      #expect(try terminal.program.exitCode() == 0)
      #expect(terminal.isRestored)
      #expect(access(place.socket, F_OK) != 0)
      #expect(try alarmsInStore(place) == 0)
    }
  }

  @Test("another terminal stops what rings here, and is told that it did")
  func otherTerminal() async throws {
    try await waiting {
      let place = try Place()
      let here = try place.start(["tocsin", "timer", "50ms", "Tea"])
      try here.output.wait(for: "TIMER")
      #expect(try place.done("stop") == "Tea: stopped\n")
      #expect(try here.output.rest().contains("STOPPED"))
      #expect(try here.exitCode() == 0)
    }
  }

  @Test("while it lives it is the daemon: others hand their alarms to it")
  func isDaemon() async throws {
    try await waiting {
      let place = try Place()
      let here = try place.start(["tocsin", "timer", "1h", "Roast"])
      try here.output.wait(for: "COUNTING")
      #expect(try place.done("timer", "1h", "Cake").hasPrefix("Cake: 1 h"))
      #expect(Set(try place.alarms().map(\.alarm.title)) == ["Roast", "Cake"])
      let second = try place.run(["tocsind"])
      #expect(second.code == 75 && second.err.contains("process \(here.pid)"))
      try place.done("cancel", "Roast")
      #expect(try here.exitCode() == 3)
      #expect(try alarmsInStore(place) == 1)
    }
  }

  @Test("q while it counts says what is kept, and it is kept", arguments: ["q", "\u{3}"])
  func quit(_ key: String) async throws {
    try await waiting {
      let place = try Place()
      let terminal = try Terminal(
        ["tocsin", "timer", "1h", "Roast"],
        environment: place.environment
      )
      try terminal.screen.wait(for: "COUNTING")
      try terminal.type(key)
      try terminal.screen.wait(for: "Roast")
      #expect(try terminal.program.exitCode() == 130)
      #expect(terminal.isRestored)
      let list = try place.tocsin("list")
      #expect(list.out.contains("Roast"))
      #expect(list.err.contains("nothing will ring"))
      let daemon = try place.daemon()
      #expect(try place.alarms().map(\.alarm.title) == ["Roast"])
      #expect(daemon.isRunning)
    }
  }

  @Test("killed while it counts: the next one to run rings it under the same occurrence")
  func killed() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let here = try place.start(["tocsin", "timer", "300ms", "Tea", "--json"])
      let counting = try presentation(in: here.output.line(with: "\"type\":\"countdown\""))
      try here.crash()
      wait(until: counting.due + .milliseconds(100))
      let daemon = try place.daemon(output: .pipe)
      let line = try daemon.output.line(with: "\"alerting\"")
      #expect(line.contains("\"occurrence\":\"\(counting.occurrence)\""))
    }
  }

  @Test("SIGTERM ends it with 143 and a terminal put back")
  func terminated() async throws {
    try await waiting {
      let place = try Place()
      let here = try place.start(["tocsin", "timer", "1h", "Roast"])
      try here.output.wait(for: "COUNTING")
      here.signal(SIGTERM)
      #expect(try here.exitCode(within: .seconds(2)) == 143)
      #expect(try alarmsInStore(place) == 1)
    }
  }

  @Test("without a standard input it rings all the same", arguments: [true, false])
  func noInput(_ isClosed: Bool) async throws {
    try await waiting {
      let place = try Place()
      let here = try place.start(
        ["tocsin", "timer", "50ms", "Tea"],
        input: isClosed ? .closed : .nothing
      )
      try here.output.wait(for: "TIMER")
      try place.done("stop")
      #expect(try here.exitCode() == 0)
    }
  }

  @Test(
    "a user without a session or a home is told what is missing, and rings where there is a place",
    .enabled(if: Users.canBeOthers, "needs root and setpriv")
  )
  func noSession() async throws {
    try await waiting {
      let place = try Place()
      chmod(place.directory, 0o755)
      let bare: [String: String?] = [
        "XDG_RUNTIME_DIR": nil, "TOCSIN_SOCKET": nil, "XDG_STATE_HOME": nil,
        "XDG_CONFIG_HOME": nil, "HOME": nil,
      ]
      let command = try Program.find("tocsin")
      // /run and /var/lib are the machine's, so these are others, that this user may not write.
      let refused = try place.run(
        Users.isolated(["/run", "/var/lib"], as: 65_534, command, "timer", "50ms", "Tea"),
        bare
      )
      #expect(refused.code == 74)
      #expect(refused.err.contains("/var/lib/tocsin") && refused.err.contains("check that"))
      let home = "\(place.directory)/home"
      try place.makeDirectory("home")
      chown(home, 65_534, 65_534)
      let here = try place.start(
        Users.isolated(["/run", "/var/lib"], as: 65_534, command, "timer", "50ms", "Tea"),
        bare.merging(["HOME": home]) { $1 }
      )
      try here.output.wait(for: "TIMER")
      try here.errors.wait(for: "only this program can answer")
      here.signal(SIGTERM)
      #expect(try here.exitCode() == 143)
    }
  }

  private func alarmsInStore(_ place: Place) throws -> Int {
    let list = try place.tocsin("list")
    #expect(list.code == 0)
    return list.out.split(separator: "\n").count
  }
}

import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// Sinks that join a daemon from elsewhere.
@Suite(.timeLimit(.minutes(10)))
struct AttachTests {
  private func console(_ place: Place, _ words: String...) throws -> Program {
    try place.start(["tocsin-console", "--attach", "format=json"] + words)
  }

  @Test("a sink that joined is listed, told what happens, and leaves without harm")
  func joins() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let console = try console(place, "--name", "bench", "--socket", place.socket)
      try console.errors.wait(for: "joined the daemon at \(place.socket)\n")
      #expect(try isEmptySync(console.errors.line()))
      try place.done("timer", "10ms", "Egg")
      let alert = try console.errors.line(with: "\"alerting\"")
      #expect(alert.contains("Egg"))
      #expect(try place.done("sinks").contains("bench"))
      try place.done("stop")
      _ = try console.errors.line(with: "\"stopped\"")
      console.signal(SIGTERM)
      #expect(try console.exitCode() == 0)
      #expect(daemon.isRunning)
      #expect(!(try place.done("sinks").contains("bench")))
    }
  }

  @Test("it joins again when the daemon was ended or died, and is told what rings")
  func restarts() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      let console = try console(place)
      try console.errors.wait(for: "joined the daemon")
      try place.done("timer", "10ms", "Egg")
      _ = try console.errors.line(with: "\"alerting\"")
      for signal in [SIGTERM, SIGKILL] {
        daemon.signal(signal)
        _ = try daemon.exitCode()
        try console.errors.wait(for: "\(place.socket)")
        // Nothing is presented while nobody can be answered.
        #expect(try isEmptySync(console.errors.line(with: "\"sync\"")))
        daemon = try place.daemon()
        try console.errors.wait(for: "joined the daemon")
        #expect(try console.errors.line(with: "\"sync\"").contains("Egg"))
      }
      console.signal(SIGINT)
      #expect(try console.exitCode() == 0)
    }
  }

  @Test("it may be there before the daemon, and even before the socket's folder")
  func early() async throws {
    try await waiting {
      let place = try Place()
      place.environment["TOCSIN_SOCKET"] = "\(place.directory)/late/er/tocsin.sock"
      let console = try console(place)
      try console.errors.wait(for: "no daemon answers at \(place.socket)")
      _ = try console.errors.line()
      try place.makeDirectory("late/er")
      let daemon = try place.daemon()
      #expect(try console.errors.line()?.hasSuffix("joined the daemon at \(place.socket)") == true)
      console.signal(SIGTERM)
      #expect(try console.exitCode() == 0)
      #expect(daemon.isRunning)
    }
  }

  @Test("wrong settings and arguments end it with the code that says so")
  func wrong() throws {
    let place = try Place()
    let settings = try place.run(["tocsin-console", "--attach", "format=xml", "colour=yes"])
    #expect(settings.code == 78)
    #expect(settings.err.split(separator: "\n").count == 2)
    #expect(try place.run(["tocsin-console", "--atach"]).code == 64)
    #expect(try place.run(["tocsin-console", "--help"]).out.contains("--attach"))
    #expect(try place.run(["tocsin-console", "--version"]).out.hasPrefix("tocsin-console "))
  }

  @Test("a daemon of somebody else says why not, once", .enabled(if: Users.canBeOthers))
  func refused() async throws {
    try await waiting {
      let place = try Place()
      for name in ["", "/run"] { chmod(place.directory + name, 0o755) }
      let daemon = try place.daemon()
      chmod(place.socket, 0o666)
      let program = try Program.find("tocsin-console")
      let console = try place.start(Users.words(as: 54_321, [program, "--attach"]))
      _ = try console.errors.line(with: "54321 may not speak to this daemon")
      console.signal(SIGTERM)
      #expect(try console.errors.rest().isEmpty)
      #expect(try console.exitCode() == 0)
      #expect(daemon.isRunning)
    }
  }

  @Test(
    "a button of a pop-up in a session stops what rings in the daemon",
    .enabled(
      if: ScriptedServer.isPossible,
      "needs dbus-daemon, and python3 with python3-dbus and python3-gi"
    )
  )
  func popUp() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let bus = try PrivateBus()
      let session = ["DBUS_SESSION_BUS_ADDRESS": Optional(bus.address)]
      let server = try ScriptedServer(on: bus)
      let popUps = try place.start(["tocsin-desktop", "--attach", "--name", "desk"], session)
      try popUps.errors.wait(for: "joined the daemon")
      let events = try EventStream(place)
      try place.done("timer", "10ms", "Egg")
      _ = try server.program.output.line(with: "\"urgency\": 2")
      try server.press("stop", 1)
      let cleared = try events.cleared()
      #expect(cleared.reason == .stopped && cleared.source == "desk")
      _ = try server.program.output.line(with: "\"close\"")
      let history = try place.done("history", "--json")
      #expect(history.contains("desk"))
      #expect(bus.isRunning && daemon.isRunning)
    }
  }
}

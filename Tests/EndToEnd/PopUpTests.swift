import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// Pop-ups, as the daemon's own plugin shows them, through kills and answers.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(
    if: ScriptedServer.isPossible,
    "needs dbus-daemon, and python3 with python3-dbus and python3-gi"
  )
)
struct PopUpTests {
  private static let popUp = Place.console + "[plugin popup]\nrun = tocsin-desktop\n"

  @Test(
    "after a kill there is one pop-up of what rings, and it answers",
    arguments: [SIGKILL, SIGTERM]
  )
  func killed(signal: Int32) async throws {
    try await waiting {
      let bus = try PrivateBus()
      let server = try ScriptedServer(on: bus)
      let place = try Place(Self.popUp)
      place.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
      var shown: Set<UInt32> = []
      var daemon = try place.daemon(output: .pipe)
      try place.connect().request(.schedule(timer(0.01, "Egg")))
      for _ in 0..<3 {
        let occurrence = try EventStream(place).presentation(.alerting).occurrence
        // What the one before left is closed, or taken over, before or after the next is there.
        try follow(server, &shown) { $0.count == 1 }
        try waitForReceipt(place)
        daemon.signal(signal)
        _ = try daemon.exitCode()
        daemon = try place.daemon(output: .pipe)
        #expect(try EventStream(place).presentation(.alerting).occurrence == occurrence)
        try follow(server, &shown, atLeast: 1) { $0.count == 1 }
      }
      let events = try EventStream(place)
      try server.press("stop", try #require(shown.first))
      let cleared = try events.cleared()
      #expect(cleared.reason == .stopped && cleared.source == "popup")
      try follow(server, &shown) { $0.isEmpty }
    }
  }

  /// Returns once the pop-up's sink has its identity, and so can take it away.
  private func waitForReceipt(_ place: Place) throws {
    func isThere() throws -> Bool {
      try place.alarms().contains { alarm in
        alarm.receipts?.contains { $0.sink == "popup" && $0.result == .presented } == true
      }
    }
    while !(try isThere()) {}
  }

  /// Reads what the server is asked for until the pop-ups that stand are as they should be.
  private func follow(
    _ server: ScriptedServer,
    _ shown: inout Set<UInt32>,
    atLeast count: Int = 0,
    until isRight: (Set<UInt32>) -> Bool
  ) throws {
    var events: [String] = []
    while events.count < count || !isRight(shown) {
      let event: ScriptedServer.Event
      do { event = try server.next() } catch { throw Failure("\(error), after \(events)") }
      events.append("\(event.event) \(event.id ?? 0)")
      guard let id = event.id else { continue }
      if event.event == "notify" {
        #expect(event.summary == "Egg")
        shown.insert(id)
      } else if event.event == "close" {
        shown.remove(id)
      }
    }
  }

  enum Press: String, CaseIterable, Sendable {
    case popUp, plugin, command
  }

  /// A sink with a button, which presses it as soon as something rings.
  private static let button = """
    #!/usr/bin/env python3
    import json, sys
    def say(**message):
        print(json.dumps(message), flush=True)
    pressed = False
    def ring(event):
        global pressed
        if event.get("state") == "alerting" and not pressed:
            pressed = True
            say(type="intent", action="snooze", occurrence=event["occurrence"])
    for line in sys.stdin:
        event = json.loads(line)
        if event["type"] == "hello":
            say(type="ready", name="button", version="1", capabilities=["buttons"], audible=False)
        elif event["type"] == "ping":
            say(type="pong")
        elif event["type"] == "bye":
            break
        elif event["type"] == "sync":
            for presentation in event["presentations"]:
                ring(presentation)
        elif "seq" in event:
            say(type="presented", seq=event["seq"])
            ring(event)

    """

  @Test(
    "a snooze from a pop-up, a plugin or the command silences all, and rings once more",
    arguments: Press.allCases
  )
  func snooze(press: Press) async throws {
    try await waiting {
      let bus = try PrivateBus()
      let server = try ScriptedServer(on: bus)
      let place = try Place()
      place.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
      let button = try place.script("button", Self.button)
      let more = press == .plugin ? "[plugin button]\nrun = \(button)\n" : ""
      try place.configure(Self.popUp + more)
      let daemon = try place.daemon(output: .pipe)
      let events = try EventStream(place)
      try place.connect().request(.schedule(timer(0.01, "Egg", snooze: 1)))
      let ring = try events.presentation(.alerting)
      switch press {
      case .popUp:
        while true {
          let shown = try server.next()
          guard shown.hints?["urgency"] == 2 else { continue }
          try server.press("snooze", shown.id ?? 0)
          break
        }
      case .command: try place.done("snooze")
      case .plugin: break
      }
      let snoozed = try events.presentation(.countdown)
      let countdown = try #require(snoozed.countdown)
      #expect(countdown.snooze && snoozed.occurrence == ring.occurrence)
      // All sinks are told the state that is not ringing: the console, and the pop-up, which is no
      // longer critical.
      _ = try daemon.output.line(with: "\"snooze\":true")
      var urgency: ScriptedServer.Value?
      repeat { urgency = try server.next().hints?["urgency"] } while urgency != 0
      let again = try events.presentation(.alerting)
      #expect(again.occurrence == ring.occurrence && again.snoozes == 1)
      #expect(again.due == countdown.fire)
      #expect(try place.done("history", "--json").components("\"event\":\"fired\"") == 2)
      try place.done("stop")
      #expect(try events.cleared().reason == .stopped)
    }
  }
}

import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

/// Who presents an alert when not everybody can: real programs, from plugins.conf to the record.
@Suite(.timeLimit(.minutes(10)))
struct RoutingTests {
  /// A sink that confirms what it is told to ring and says so in the log.
  ///
  /// Its settings: `loud`; `wait`, a pipe that has to be opened before it is ready; `fail`, why it
  /// presents nothing.
  private static let sink = """
    #!/usr/bin/env python3
    import json, sys
    def say(**message):
        print(json.dumps(message), flush=True)
    def ring(event):
        if event.get("state") != "alerting":
            return
        if "fail" in settings:
            say(type="failed", seq=event["seq"], reason=settings["fail"], retry=False)
        else:
            say(type="presented", seq=event["seq"])
        print("rings", event["title"], "for", event.get("parts"), file=sys.stderr, flush=True)
    for line in sys.stdin:
        event = json.loads(line)
        if event["type"] == "hello":
            settings = event["settings"]
            if "wait" in settings:
                open(settings["wait"]).read()
            audible = settings.get("loud") == "yes"
            say(type="ready", name="test", audible=audible,
                parts=[{"name": "buzzer", "audible": audible}])
        elif event["type"] == "sync":
            for presentation in event["presentations"]:
                ring(presentation)
        elif event["type"] == "ping":
            say(type="pong")
        elif event["type"] == "bye":
            break
        elif "seq" in event:
            ring(event)

    """

  private func section(_ name: String, _ script: String, _ settings: String = "") -> String {
    "[plugin \(name)]\nrun = \(script)\n\(settings)\n"
  }

  @Test("the buzzer rings where the sound device does not exist, and the record says why")
  func fallback() async throws {
    try await waiting {
      let place = try Place()
      let script = try place.script("sink", Self.sink)
      try place.configure(
        "[plugin speaker]\nrun = tocsin-alsa\ndevice = hw:CARD=Nowhere\n"
          + section("bedside", script, "loud = yes")
          + "[route wakeup]\nmatch = event:alert\nto = speaker\n"
          + "fallback = bedside.buzzer after 5s\n"
      )
      let daemon = try place.daemon()
      try place.done("timer", "10ms", "Egg")
      try daemon.errors.wait(for: "bedside: rings Egg for ['buzzer']")
      let history = try place.done("history", "--json")
      #expect(history.contains(#""event":"fallback""#))
      #expect(history.contains("speaker failed: "))
      #expect(history.contains("Nowhere"))
      #expect(daemon.isRunning)
    }
  }

  @Test("an alarm that came due while the daemon was down rings at a sink that takes long to start")
  func replay() async throws {
    try await waiting {
      let place = try Place()
      let script = try place.script("sink", Self.sink)
      let first = try place.daemon()
      let connection = try place.connect()
      let alarm = timer(3_600, "Egg")
      try connection.request(.schedule(alarm))
      try connection.request(
        .intent(Intent(.extend, .named(alarm.id.description), duration: -3_599))
      )
      first.signal(SIGKILL)
      _ = try first.exitCode()
      wait(until: now() + Duration.seconds(1))
      let pipe = "\(place.directory)/wait"
      #expect(mkfifo(pipe, 0o600) == 0)
      try place.configure(
        section("speaker", script, "loud = yes\nwait = \(pipe)")
          + section("bedside", script, "loud = yes")
          + "[route wakeup]\nmatch = event:alert\nto = speaker\nfallback = bedside after 0\n"
      )
      let daemon = try place.daemon()
      let events = try EventStream(place)
      _ = try events.presentation(.alerting)
      // Opened for writing and closed again: only now the sink says that it is ready.
      close(open(pipe, O_WRONLY))
      try daemon.errors.wait(for: "speaker: rings Egg")
      let history = try place.done("history", "--json")
      #expect(!history.contains(#""event":"timedOut""#))
    }
  }

  @Test("a sink that is killed while it rings rings again, and no other hears of it")
  func killed() async throws {
    try await waiting {
      let place = try Place()
      let script = try place.script("sink", Self.sink)
      try place.configure(
        section("one", script, "loud = yes") + section("two", script, "loud = yes")
      )
      let daemon = try place.daemon()
      try place.done("timer", "10ms", "Egg")
      for _ in 0..<2 { try daemon.errors.wait(for: "rings Egg") }
      let connection = try place.connect()
      var pid: Int32?
      try connection.request(.sinks) { reply in
        if case .sink(_, let sink) = reply, sink.sink == "one" { pid = sink.pid }
      }
      kill(try #require(pid), SIGKILL)
      try daemon.errors.wait(for: "one: rings Egg")
      try place.done("stop")
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("a ring that nobody confirms is said by status, by its exit code too, until somebody does")
  func unheard() async throws {
    try await waiting {
      let place = try Place()
      let script = try place.script("sink", Self.sink)
      try place.configure(section("speaker", script, "loud = yes\nfail = no card"))
      let daemon = try place.daemon()
      try place.done("timer", "10ms", "Egg")
      try daemon.errors.wait(
        for: "an alarm rings and nobody has confirmed it: speaker failed: no card"
      )
      let status = try place.tocsin("status")
      #expect(status.code != 0)
      #expect(status.out.contains("no card"))
      try place.done("stop")
      try place.done("status")
    }
  }
}

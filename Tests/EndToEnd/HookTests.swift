import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// Programs that a daemon runs once for an event.
@Suite(.timeLimit(.minutes(10)))
struct HookTests {
  @Test("what they say of an alert is in the history, and they are sinks like any other")
  func receipts() async throws {
    try await waiting {
      let place = try Place(
        """
        [plugin push]
        run-on-alert = ["/bin/sh", "-c", "cat; echo no net >&2; exit 22"]
        run-on-cleared = sh -c 'echo "over: $TOCSIN_TITLE, $TOCSIN_REASON"'

        """
      )
      let daemon = try place.daemon()
      try place.connect().request(.schedule(timer(0.01, "Egg")))
      let line = try daemon.errors.line(with: "push: {\"type\":\"alert\"")
      #expect(line.contains("\"Egg\""))
      try daemon.errors.wait(for: "push cannot present: ended with status 22: no net")
      try place.done("stop")
      try daemon.errors.wait(for: "push: over: Egg, stopped")
      let history = try place.done("history", "--json")
      #expect(history.contains("ended with status 22: no net"))
      #expect(try place.done("sinks").contains("push\tready\thook"))
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("an alert is told once, though the daemon is killed while it rings")
  func once() async throws {
    try await waiting {
      let place = try Place("[plugin push]\nrun-on-alert = sh -c 'echo told'\n")
      let first = try place.daemon()
      try place.connect().request(.schedule(timer(0.01, "Egg")))
      try first.errors.wait(for: "push: told")
      // Once this is on the disk, so is what was before it.
      try place.done("timer", "1h", "Roast")
      try first.crash()
      let second = try place.daemon()
      try place.done("stop")
      second.signal(SIGTERM)
      let rest = try second.errors.rest()
      #expect(!rest.contains("told"), "\(rest)")
      #expect(try second.exitCode() == 0)
    }
  }
}

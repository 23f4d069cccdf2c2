import Glibc
import ProcessTesting
import Testing
import TocsinModel

/// A machine that sleeps through its alarms is bad enough; one that does not say so is worse.
@Suite(.timeLimit(.minutes(10)))
struct WakeTests {
  /// The words that are the daemon without the right to wake the machine, whoever runs the tests.
  private static func withoutTheRight() throws -> [String] {
    guard geteuid() == 0, Program.exists("setpriv") else { return ["tocsind"] }
    let rights = ["--bounding-set", "--inh-caps", "--ambient-caps"].flatMap { [$0, "-wake_alarm"] }
    return ["setpriv"] + rights + [try Program.find("tocsind")]
  }

  @Test("without the right to wake the machine it rings all the same, and says that it cannot")
  func unprivileged() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(Self.withoutTheRight(), output: .pipe)
      let status = try place.done("status")
      #expect(status.contains("Warning") && status.contains("will not be woken from suspend"))
      #expect(try place.done("status", "--json").contains("\"wakesFromSuspend\":false"))
      try place.connect().request(.schedule(timer(0.3, "Egg")))
      let alert = try presentation(in: daemon.output.line(with: "\"alerting\""))
      #expect(alert.title == "Egg")
      try place.done("stop")
    }
  }
}

import SinkKit
import Testing

@testable import Sounds

/// A host on a clock that the test moves, with real pipes and threads.
final class Bench {
  /// A sink that does nothing, as a host needs one.
  final class Mute: Sink {
    let host: SinkHost
    let descriptor = SinkDescriptor(name: "mute", version: "", capabilities: [], audible: false)
    init(settings: SinkSettings, host: SinkHost) { self.host = host }
    func present(_ presentation: Presentation) {}
    func clear(_ withdrawal: Withdrawal) {}
  }

  let manual: ManualSinkHost<Mute>
  var host: SinkHost { manual.host }

  init() throws { manual = try ManualSinkHost(now: Instant(seconds: 1_800_000_000)) }

  /// Waits, in real time, until it is so; no time passes on the clock.
  func wait(
    _ what: Comment,
    _ location: SourceLocation = #_sourceLocation,
    until isSo: () -> Bool
  ) {
    // Each turn ends with something that happened, so this ends with a test that hangs only.
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(120)
    while !isSo() {
      guard clock.now < deadline else {
        Issue.record(what, sourceLocation: location)
        return
      }
      manual.waitForWork(atMost: .seconds(1))
    }
  }
}

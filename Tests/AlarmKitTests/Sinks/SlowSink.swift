import AlarmKit
import Synchronization

/// A sink that does not return from its first call before it is let.
final class SlowSink: AlarmManager.Sink {
  let name = "slow"
  /// What it is told, until a withdrawal.
  let words: AsyncStream<String>

  private let into: AsyncStream<String>.Continuation
  private let gate = AsyncStream<Never>.makeStream()
  private let calls = Mutex((now: 0, most: 0))

  init() {
    (words, into) = AsyncStream.makeStream()
  }

  /// Lets it return.
  func goOn() { gate.continuation.finish() }

  /// How many calls it was in at once.
  var mostAtOnce: Int { calls.withLock { $0.most } }

  func present(_ presentation: AlarmManager.SinkPresentation) async {
    calls.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
    switch presentation.state.mode {
    case .alert: into.yield("alert")
    case .countdown: into.yield("countdown")
    case .paused: into.yield("paused")
    }
    for await _ in gate.stream {}
    calls.withLock { $0.now -= 1 }
  }

  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) async {
    into.yield("clear")
    into.finish()
  }
}

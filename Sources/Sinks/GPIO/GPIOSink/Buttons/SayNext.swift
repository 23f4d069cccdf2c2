import Glibc
import SinkKit
import Synchronization

/// Runs the program that says what comes next, on a thread of its own and one at a time.
final class SayNext: Sendable {
  private enum State {
    case idle
    /// Its thread is on the way to starting it.
    case starting
    /// It runs, with all that it has started.
    case running(ChildProcess)
    /// The sink has ended: nothing may run any more.
    case stopped
  }

  private let words: [String]
  private let state = Mutex(State.idle)

  init(_ words: [String]) { self.words = words }

  /// Starts it.
  ///
  /// - Parameter failed: called on that thread with a sentence if it cannot be started.
  /// - Returns: false if it still runs or no thread can be had.
  func start(failed: @escaping @Sendable (String) -> Void) -> Bool {
    let isFirst = state.withLock { state in
      guard case .idle = state else { return false }
      state = .starting
      return true
    }
    guard isFirst else { return false }
    guard BackgroundThread.start({ [self] in run(failed) }) else {
      ended()
      return false
    }
    return true
  }

  /// Ends it if it runs, also if it is only being started; nothing is started afterwards.
  func stop() {
    state.withLock { state in
      if case .running(let program) = state { program.send(SIGTERM) }
      state = .stopped
    }
  }

  private func ended() {
    state.withLock { if case .stopped = $0 {} else { $0 = .idle } }
  }

  private func run(_ failed: (String) -> Void) {
    do throws(ChildProcess.Failure) {
      // Standard output is the protocol's; what the program writes goes to the log.
      let program = try ChildProcess(
        words,
        environment: Environment.all,
        output: STDERR_FILENO,
        error: STDERR_FILENO,
        inOwnGroup: true
      )
      state.withLock { state in
        if case .stopped = state { program.send(SIGTERM) } else { state = .running(program) }
      }
      _ = program.wait()
      ended()
    } catch {
      ended()
      failed("say-next: \(words[0]): \(String(cString: strerror(error.code)))")
    }
  }
}

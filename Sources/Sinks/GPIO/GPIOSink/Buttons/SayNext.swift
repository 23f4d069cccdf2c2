import Glibc
import SinkKit
import Synchronization

/// Runs the program that says what comes next, on a thread of its own and one at a time.
final class SayNext: Sendable {
  private enum State {
    case idle
    /// Its thread is on the way to starting it.
    case starting
    /// It runs, and is not reaped yet, so that its number is nobody else's.
    case running(pid_t)
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
      if case .running(let pid) = state { kill(-pid, SIGTERM) }
      state = .stopped
    }
  }

  private func ended() {
    state.withLock { if case .stopped = $0 {} else { $0 = .idle } }
  }

  private func run(_ failed: (String) -> Void) {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Standard input and output are the protocol's; what the program writes goes to the log.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var pid: pid_t = 0
    let code = posix_spawnp(
      &pid,
      words[0],
      &actions,
      &attributes,
      &arguments,
      environ
    )
    guard code == 0 else {
      ended()
      return failed("say-next: \(words[0]): \(String(cString: strerror(code)))")
    }
    state.withLock { state in
      if case .stopped = state { kill(-pid, SIGTERM) } else { state = .running(pid) }
    }
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    ended()
    var status: CInt = 0
    waitpid(pid, &status, 0)
  }
}

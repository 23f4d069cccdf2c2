import Glibc
import Synchronization

/// A program that was started, without a shell, and its end; may be used from any thread.
///
/// Its standard input is /dev/null if it is given none, since the sink's own is the protocol's, its
/// signals are as a new program has them, and it inherits no descriptors but those it is given.
package final class ChildProcess: Sendable {
  /// Why a program could not be started.
  package struct Failure: Error {
    /// The errno that says why.
    package var code: CInt

    /// Takes a number of errno.h.
    package init(code: CInt) { self.code = code }
  }

  /// Its number, which may be another's once it has ended.
  package let pid: CInt
  private let isLeader: Bool
  private let hasEnded = Mutex(false)

  /// Starts a program; waits until its file is loaded, which a slow disk may delay.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked for in PATH if it has no slash, and its arguments.
  ///   - environment: all of its environment.
  ///   - input: what becomes its standard input.
  ///   - output: what becomes its standard output.
  ///   - error: what becomes its standard error.
  ///   - inOwnGroup: whether it leads a process group, so that signals reach what it starts too;
  ///     otherwise it is in that of the sink, with which the daemon ends it.
  /// - Throws: `Failure` if there is no such program, or the system does not start it.
  package init(
    _ arguments: [String],
    environment: [String: String],
    input: CInt? = nil,
    output: CInt,
    error: CInt,
    inOwnGroup: Bool
  ) throws(Failure) {
    let path = try Self.find(arguments.first ?? "", environment["PATH"])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    for descriptor in Self.inherited() { posix_spawn_file_actions_addclose(&actions, descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &variables)
    guard code == 0 else { throw Failure(code: code) }
    self.pid = pid
    isLeader = inOwnGroup
  }

  /// Sends a signal to it, or to its group; nothing happens once it has ended, when its number may be
  /// another's.
  package func send(_ signal: CInt) {
    hasEnded.withLock { hasEnded in
      if !hasEnded { kill(isLeader ? -pid : pid, signal) }
    }
  }

  /// Waits for the end, so that there is no zombie; called once, on a thread of its own.
  ///
  /// - Returns: the exit status, or the signal below zero.
  package func wait() -> CInt {
    // First without taking it away, so that its number stays its own until the lock is held.
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    var status: CInt = 0
    hasEnded.withLock { hasEnded in
      hasEnded = true
      // ECHILD where somebody ignores SIGCHLD: then nobody knows the status.
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }

  /// Descriptors beyond the first three that a program would inherit.
  private static func inherited() -> [CInt] {
    FolderNames.read("/proc/self/fd").compactMap { CInt($0) }.filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      return descriptor > STDERR_FILENO && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  private static func find(_ name: String, _ path: String?) throws(Failure) -> String {
    if name.contains("/") { return name }
    var code = ENOENT
    for folder in (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":") {
      let candidate = "\(folder)/\(name)"
      if access(candidate, X_OK) == 0 { return candidate }
      if errno == EACCES { code = EACCES }
    }
    throw Failure(code: code)
  }
}

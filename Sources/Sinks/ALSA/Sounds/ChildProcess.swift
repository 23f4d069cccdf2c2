import Glibc
import SinkKit
import Synchronization

/// A program that was started, its output, and its end.
///
/// A thread waits for the end, so that there is neither a zombie nor a wait for the sink.
final class ChildProcess: Sendable {
  /// Its standard output and standard error, not blocking; whoever has it closes them.
  let output: CInt
  let error: CInt

  private struct State {
    var hasEnded = false
  }

  private let pid: pid_t
  private let state = Mutex(State())

  /// Starts a program in the process group of this one, with no descriptors but those three.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked for in PATH if it has no slash, and its arguments.
  ///   - environment: all of its environment.
  ///   - ended: called once on a thread of its own with the exit status, or the signal below zero.
  /// - Throws: the errno that says why, as `Failure`.
  init(
    _ arguments: [String],
    environment: [String: String],
    ended: @escaping @Sendable (CInt) -> Void
  ) throws(Failure) {
    let path = try Self.find(arguments.first ?? "", environment["PATH"])
    let output = try Pipe()
    let error = try Pipe()
    pid = try Self.spawn(path, arguments, environment, output: output.write, error: error.write)
    self.output = output.takeRead()
    self.error = error.takeRead()
    let started = BackgroundThread.start { self.wait(ended) }
    guard started else {
      kill(pid, SIGKILL)
      wait { _ in }
      close(self.output)
      close(self.error)
      throw Failure(code: EAGAIN)
    }
  }

  /// Why a program could not be started.
  struct Failure: Error {
    var code: CInt
  }

  /// Sends a signal; nothing happens once it has ended, when its number may be another's.
  func send(_ signal: CInt) {
    state.withLock { state in
      if !state.hasEnded { kill(pid, signal) }
    }
  }

  private func wait(_ ended: @Sendable (CInt) -> Void) {
    // First without taking it away, so that its number stays its own until the lock is held.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    var status: CInt = 0
    state.withLock { state in
      state.hasEnded = true
      // ECHILD where somebody ignores SIGCHLD: then nobody knows the status.
      while waitpid(pid, &status, 0) < 0 {
        if errno == EINTR { continue }
        break
      }
    }
    let signal = status & 0x7F
    ended(signal == 0 ? status >> 8 & 0xFF : -signal)
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

  private static func spawn(
    _ path: String,
    _ arguments: [String],
    _ environment: [String: String],
    output: CInt,
    error: CInt
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    for descriptor in inheritable() { posix_spawn_file_actions_addclose(&actions, descriptor) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, &argv, &variables)
    guard code == 0 else { throw Failure(code: code) }
    return pid
  }

  /// Descriptors beyond the first three that a program would inherit.
  private static func inheritable() -> [CInt] {
    SoundFolder.entries(of: "/proc/self/fd").compactMap { CInt($0) }.filter { descriptor in
      let flags = fcntl(descriptor, F_GETFD)
      return descriptor > STDERR_FILENO && flags >= 0 && flags & FD_CLOEXEC == 0
    }
  }

  /// A pipe whose reading end does not block; what is not taken is closed.
  private final class Pipe {
    private var read: CInt
    let write: CInt
    /// Those below may be given to the sink, which would find ours there if they are not.
    private static let lowestDescriptor: CInt = 16

    init() throws(Failure) {
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(code: errno) }
      let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, Self.lowestDescriptor) }
      let code = errno
      for end in ends { close(end) }
      guard moved[0] >= 0, moved[1] >= 0 else {
        for end in moved where end >= 0 { close(end) }
        throw Failure(code: code)
      }
      _ = fcntl(moved[0], F_SETFL, O_NONBLOCK)
      read = moved[0]
      write = moved[1]
    }

    deinit {
      if read >= 0 { close(read) }
      close(write)
    }

    func takeRead() -> CInt {
      defer { read = -1 }
      return read
    }
  }
}

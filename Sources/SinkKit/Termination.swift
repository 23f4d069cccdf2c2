import Glibc

/// Where the signal handler writes; -1 until somebody listens.
// safe because it is one aligned word, written before the handlers are installed and never after
nonisolated(unsafe) private var terminationDescriptor: CInt = -1

/// Notes that the process is to end; runs on any thread at any moment (signal-safety(7)).
private func noteTermination(_ signal: CInt) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(terminationDescriptor, &byte, 1)
  errno = saved
}

/// SIGTERM, SIGINT and SIGHUP as something to read, so that the sink ends on its own thread.
enum Termination {
  /// The pipe that becomes readable; made at the first call, kept until the process ends.
  private static let pipe: SelfPipe? = {
    guard let pipe = SelfPipe() else { return nil }
    terminationDescriptor = pipe.writeEnd
    // A daemon that takes its signals through signalfd(2) has them blocked, and children inherit it.
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] {
      Glibc.signal(signal, noteTermination)
      sigaddset(&set, signal)
    }
    sigprocmask(SIG_UNBLOCK, &set, nil)
    return pipe
  }()

  /// Installs the handlers and gives the descriptor; nil if the process has none left, and then
  /// these signals end it as they do by default.
  static func listen() -> CInt? {
    // A closed pipe is told by write(2); a terminal with TOSTOP is written to from the background.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGTTOU, SIG_IGN)
    return pipe?.readEnd
  }
}

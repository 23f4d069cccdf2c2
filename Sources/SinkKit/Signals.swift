import Glibc

// Safe because it is one aligned word, written before the handlers are installed and after they are
// taken away, and read by the handler alone.
nonisolated(unsafe) private var signalPipe: CInt = -1

/// Runs in whichever thread the kernel chose: it may do nothing but write(2), signal-safety(7).
private func noteSignal(_ number: CInt) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = saved
}

/// Signals as bytes in a pipe, so that one poll(2) waits for them with all else.
///
/// At most one at a time in a process.
package final class Signals: Sendable {
  /// SIGTERM, SIGINT and SIGHUP for a sink, which ends on its own thread; caught from the first use
  /// until the process ends, nil if it had no descriptor left.
  ///
  /// A closed pipe is told by write(2); a terminal with TOSTOP is written to from the background.
  static let termination = Signals([SIGTERM, SIGINT, SIGHUP], ignoring: [SIGPIPE, SIGTTOU])

  /// Readable when a signal came.
  package var descriptor: CInt { pipe.readEnd }

  private let pipe: SelfPipe
  private let numbers: [CInt]

  /// Catches the signals, and drops those in `ignoring`.
  ///
  /// - Returns: nil if the process has no descriptor left; then the signals that were to be caught
  ///   do what they do by themselves.
  package init?(_ numbers: [CInt], ignoring: [CInt]) {
    for number in ignoring { signal(number, SIG_IGN) }
    guard let pipe = SelfPipe() else { return nil }
    self.pipe = pipe
    self.numbers = numbers
    signalPipe = pipe.writeEnd
    // Who started this process may have left them blocked, as a daemon that uses signalfd(2) has.
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers {
      signal(number, noteSignal)
      sigaddset(&set, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signals that came since the last call.
  package func pending() -> [CInt] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(CInt.init) : []
  }

  /// Lets the signals do what they do by themselves again.
  package func end() {
    for number in numbers { signal(number, SIG_DFL) }
    signalPipe = -1
  }
}

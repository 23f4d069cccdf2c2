import Glibc

// Safe because it is set before the handler is installed, and read by the handler alone.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// Runs in whichever thread the kernel chose: it may do nothing but write(2), signal-safety(7).
private func noteSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = saved
}

/// Signals as bytes in a pipe, so that one poll(2) waits for them with all else.
final class Signals {
  /// Readable when a signal came; -1 if there could be no pipe.
  let descriptor: Int32
  private let numbers: [Int32]

  /// Catches the signals; those in `ignoring` are dropped.
  init(_ numbers: [Int32], ignoring: [Int32]) {
    self.numbers = numbers
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    descriptor = ends[0]
    signalPipe = ends[1]
    for number in numbers { signal(number, noteSignal) }
    for number in ignoring { signal(number, SIG_IGN) }
    // Who started this process may have left them blocked, and then Ctrl-C would do nothing.
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// The signals that came since the last call.
  func pending() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(Int32.init) : []
  }

  /// Lets the signals do what they do by themselves again.
  func end() {
    for number in numbers { signal(number, SIG_DFL) }
    close(signalPipe)
    close(descriptor)
    signalPipe = -1
  }
}

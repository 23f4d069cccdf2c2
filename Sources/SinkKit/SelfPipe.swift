import Glibc

/// A pipe to oneself: a byte in it ends a poll(2), from another thread or a signal handler.
package final class SelfPipe: Sendable {
  let readEnd: CInt
  let writeEnd: CInt

  /// Nil if the process or the system has no descriptor left.
  package init?() {
    guard let ends = PipeEnds() else { return nil }
    readEnd = ends.takeRead()
    writeEnd = ends.takeWrite()
    for end in [readEnd, writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Wakes the reader, from any thread or a signal handler; a full pipe wakes it just as well.
  package func signal() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes out all that was written.
  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(readEnd, &bytes, 16) == 16 {}
  }

  /// Waits for a signal, but no longer than told; one that came before counts.
  ///
  /// A signal of the system's is none: when the daemon dies, SIGTERM comes in the middle of an end that
  /// has begun with the end of the input.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func wait(atMost limit: Duration) -> Bool {
    let deadline = SystemSinkClock.time(of: CLOCK_BOOTTIME) + limit
    var rest = limit
    while true {
      var wanted = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
      let count = poll(&wanted, 1, PollLoop.milliseconds(rest))
      guard count < 0, errno == EINTR else { return count > 0 }
      rest = max(.zero, deadline - SystemSinkClock.time(of: CLOCK_BOOTTIME))
    }
  }
}

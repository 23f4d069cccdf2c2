import Glibc

/// A pipe to oneself: a byte in it ends a poll(2), from another thread or a signal handler.
package final class SelfPipe: Sendable {
  let readEnd: CInt
  let writeEnd: CInt

  /// Descriptors below this are left alone, since a sink may be given some of them (3 is the
  /// daemon's standard output) and would find ours there if it was not.
  static let lowestDescriptor: CInt = 16

  /// Nil if the process or the system has no descriptor left.
  package init?() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, Self.lowestDescriptor) }
    for end in ends { close(end) }
    guard moved[0] >= 0, moved[1] >= 0 else {
      for end in moved where end >= 0 { close(end) }
      return nil
    }
    for end in moved { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    readEnd = moved[0]
    writeEnd = moved[1]
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
  package func wait(atMost limit: Duration) {
    var wanted = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
    _ = poll(&wanted, 1, PollLoop.milliseconds(limit))
  }
}

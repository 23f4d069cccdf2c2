import Glibc

/// A new pipe's two ends, close-on-exec; those that nobody takes are closed.
package final class PipeEnds {
  /// Descriptors below this are left alone, since a sink may be given some of them (3 is the
  /// daemon's standard output) and would find ours there if it was not.
  static let lowestDescriptor: CInt = 16

  private var read: CInt
  private var write: CInt

  /// Nil if the process or the system has no descriptor left; errno then says which.
  package init?() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, Self.lowestDescriptor) }
    let code = errno
    for end in ends { close(end) }
    guard moved[0] >= 0, moved[1] >= 0 else {
      for end in moved where end >= 0 { close(end) }
      errno = code
      return nil
    }
    read = moved[0]
    write = moved[1]
  }

  deinit { for end in [read, write] where end >= 0 { close(end) } }

  /// The writing end, which stays here.
  package var writeEnd: CInt { write }

  /// Gives the reading end away; whoever takes it closes it.
  package func takeRead() -> CInt {
    defer { read = -1 }
    return read
  }

  /// Gives the writing end away.
  package func takeWrite() -> CInt {
    defer { write = -1 }
    return write
  }
}

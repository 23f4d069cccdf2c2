import Glibc

/// A descriptor to write to without ever waiting, and without changing it for others.
///
/// O_NONBLOCK belongs to the open file description, which a terminal or pipe given by somebody else
/// shares with them: set there, it would make the daemon's or the shell's own writes fail. So pipes
/// and terminals are opened again through /proc/self/fd; where that is refused, writes are small and
/// only made when poll(2) says there is room. Used by one thread.
package final class NonblockingOutput {
  /// What became of a write.
  package enum Outcome: Equatable {
    /// So many of the bytes were written, at least one.
    case wrote(Int)
    /// There is no room now; wait until `descriptor` is writable.
    case full
    /// Nothing can be written any more, with the errno that says why.
    case closed(CInt)
  }

  private enum Kind { case own, shared, socket, file }

  /// What to poll for writability.
  package let descriptor: CInt

  private let kind: Kind

  /// Takes a descriptor that stays the caller's.
  package convenience init(_ given: CInt) { self.init(given, mayReopen: true) }

  /// As `init(_:)`; `mayReopen` is false where /proc is to be taken for refusing.
  init(_ given: CInt, mayReopen: Bool) {
    var status = stat()
    guard fstat(given, &status) == 0 else {
      (descriptor, kind) = (given, .file)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK:
      (descriptor, kind) = (given, .socket)
    case S_IFIFO, S_IFCHR:
      let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      let again = mayReopen ? open("/proc/self/fd/\(given)", flags) : -1
      guard again >= 0 else {
        (descriptor, kind) = (given, .shared)
        return
      }
      let moved = fcntl(again, F_DUPFD_CLOEXEC, PipeEnds.lowestDescriptor)
      if moved >= 0 { close(again) }
      (descriptor, kind) = (moved >= 0 ? moved : again, .own)
    default:
      (descriptor, kind) = (given, .file)
    }
  }

  deinit {
    if kind == .own { close(descriptor) }
  }

  /// Writes as much as there is room for; `bytes` is not empty.
  package func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    while true {
      let count = bytes.withUnsafeBytes { bytes in
        switch kind {
        case .own, .file:
          return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        case .socket:
          let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
          return send(descriptor, bytes.baseAddress, bytes.count, flags)
        case .shared:
          // A pipe that is writable takes a page whole (pipe(7), PIPE_BUF).
          guard hasRoom else {
            errno = EAGAIN
            return -1
          }
          return Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, 4096))
        }
      }
      if count > 0 { return .wrote(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      case let code: return .closed(count == 0 ? EIO : code)
      }
    }
  }

  private var hasRoom: Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }
}

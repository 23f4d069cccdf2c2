import Glibc
import TocsinModel
import TocsinTime

/// The text of an error number, strerror(3).
func errorText(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  // The XSI form fills the buffer; Glibc's own may return a text of its own instead.
  return buffer.withUnsafeMutableBufferPointer { buffer in
    guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}

/// A moment by the clock that is never set, in nanoseconds; for limits.
struct Deadline {
  private let nanoseconds: Int64

  /// The moment that far from now.
  init(after limit: Duration) {
    let (seconds, attoseconds) = limit.components
    nanoseconds = Self.now + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// What is left of it, in whole milliseconds rounded up, 0 once it is over; for poll(2).
  var milliseconds: Int32 {
    Int32(clamping: max(0, (nanoseconds - Self.now + 999_999) / 1_000_000))
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// The system calls of a stream socket, with their interruptions and halves put right.
enum UnixSocket {
  /// Connects to the socket at that path.
  ///
  /// A full queue of waiting connections makes the kernel wait in connect(2) itself, as long as
  /// `SO_SNDTIMEO` says: a non-blocking connect would fail at once with `EAGAIN` and cannot be
  /// polled, unix(7). From then on the descriptor does not block.
  static func connect(to path: String, within limit: Duration) throws(ClientError) -> Int32 {
    try SocketPath.check(path)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
    guard descriptor >= 0 else {
      throw .system(operation: "open a socket for", path: path, code: errno)
    }
    let deadline = Deadline(after: limit)
    while true {
      let milliseconds = max(1, deadline.milliseconds)
      var wait = timeval(
        tv_sec: Int(milliseconds / 1_000),
        tv_usec: Int(milliseconds % 1_000) * 1_000
      )
      setsockopt(
        descriptor,
        SOL_SOCKET,
        SO_SNDTIMEO,
        &wait,
        socklen_t(MemoryLayout<timeval>.size)
      )
      if connectOnce(descriptor, path) == 0 { break }
      let code = errno
      if code == EINTR, deadline.milliseconds > 0 { continue }
      Glibc.close(descriptor)
      throw failure(code, path: path, limit: limit)
    }
    if let user = stranger(descriptor, path) {
      Glibc.close(descriptor)
      throw .stranger(path: path, user: user)
    }
    setNonBlocking(descriptor)
    return descriptor
  }

  /// Lets reads and writes return at once.
  static func setNonBlocking(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }

  /// Waits until the descriptor can be read from or written to, or has ended.
  ///
  /// - Returns: false once the deadline is over.
  static func wait(_ descriptor: Int32, for events: Int32, until deadline: Deadline) -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let milliseconds = deadline.milliseconds
      let result = poll(&entry, 1, milliseconds)
      if result > 0 { return true }
      if result == 0, deadline.milliseconds == 0 { return false }
      if result < 0, errno != EINTR { return true }
    }
  }

  /// Who listens, if no daemon is expected from that user.
  ///
  /// Expected are this user, root and the owner of the directory, who alone decides there. In a
  /// directory of all, such as /tmp, anybody can listen.
  /// The kernel knows who listens since listen(2); unix(7), SO_PEERCRED.
  private static func stranger(_ descriptor: Int32, _ path: String) -> uid_t? {
    var peer = PeerCredentials()
    var length = socklen_t(MemoryLayout<PeerCredentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0,
      peer.uid != geteuid(), peer.uid != 0
    else { return nil }
    var status = stat()
    let isFound = stat(PathParts(path).directory, &status) == 0
    return isFound && status.st_uid == peer.uid ? nil : peer.uid
  }

  /// `struct ucred`, which Glibc's module does not show; <sys/socket.h>.
  private struct PeerCredentials {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
  }

  private static func failure(_ code: Int32, path: String, limit: Duration) -> ClientError {
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR: .noDaemon(paths: [path])
    case EACCES, EPERM: .refused(path: path, code: code)
    case EAGAIN, EINPROGRESS, EINTR, ETIMEDOUT:
      .timeout(path: path, operation: "accept a connection", seconds: limit.seconds)
    default: .system(operation: "connect to", path: path, code: code)
    }
  }

  private static func connectOnce(_ descriptor: Int32, _ path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
}

import CLinux
import Glibc
import TocsinModel

/// The Unix socket the daemon listens on, and the lock that says it is alive.
///
/// A socket file outlives a killed daemon, a lock does not: whoever holds the lock beside the socket may
/// replace the file, and nobody else touches it. See unix(7), flock(2).
final class ControlSocket {
  let path: String
  private let listener: Descriptor
  private let lock: Descriptor
  private let directory: SocketDirectory
  /// The socket's file, once there is one.
  private var bound: PinnedFile.Identity?

  /// Listens; whoever may connect is checked again at each connection.
  ///
  /// - Parameters:
  ///   - path: the socket's file; its directory is made if it is absent.
  ///   - group: a group whose members may connect, beside the daemon's own user.
  /// - Throws: `ControlSocketError`; whatever was at the path is left there then.
  init(path: String, group: gid_t?) throws(ControlSocketError) {
    self.path = path
    let limit = ServicePaths.socketLimit
    guard path.utf8.count <= limit else { throw .tooLong(path: path, limit: limit) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    directory = try SocketDirectory(of: path)
    // The directory is held open: whatever becomes of its path, the lock and the socket's file are in it.
    let (folder, name) = (directory.raw, directory.name)
    lock = try Self.open("open", path + ".lock", at: path) {
      openat(folder, name + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    }
    guard isOwnFile(lock.raw) else { throw .notALock(path: path + ".lock") }
    // Whatever the umask left of it.
    fchmod(lock.raw, 0o600)
    guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
      throw .busy(path: path, pid: Self.pid(in: lock.raw))
    }
    Self.write(pid: getpid(), to: lock.raw)
    try Self.removeStale(path, address, in: directory)
    listener = try Self.open("socket", "", at: path) {
      socket(
        AF_UNIX,
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
        0
      )
    }
    do {
      try listen(address, group: group)
    } catch { throw .system(path: path, error) }
  }

  deinit {
    // Another file of that name is somebody else's.
    guard let bound, let file = try? PinnedFile(directory.name, in: directory.raw),
      file.identity == bound
    else { return }
    unlinkat(directory.raw, directory.name, 0)
  }

  var descriptor: Int32 { listener.raw }

  /// Made for its owner alone, opened to the group once it is the right group's, and reachable only
  /// then; without the process's umask, which other threads go by.
  ///
  /// Group and mode are changed of the file that was made, not of what has its name by then.
  private func listen(_ address: sockaddr_un, group: gid_t?) throws(SystemError) {
    try check("fchmod", path) { fchmod(listener.raw, 0o600) }
    try check("bind", path) { Self.with(address) { bind(listener.raw, $0, $1) } }
    let file = try PinnedFile(directory.name, in: directory.raw)
    guard file.isSocket, file.owner == geteuid() else {
      throw SystemError("bind", path, code: EPERM)
    }
    bound = file.identity
    if let group { try file.change(group: group) }
    try file.change(mode: group == nil ? 0o600 : 0o660)
    try check("listen", path) { Glibc.listen(listener.raw, 64) }
  }

  private static func open(
    _ operation: String,
    _ subject: String,
    at path: String,
    _ body: () -> Int32
  ) throws(ControlSocketError) -> Descriptor {
    do {
      return Descriptor(owning: try check(operation, subject, body))
    } catch { throw .system(path: path, error) }
  }

  /// Removes what a daemon that is no more left behind, and nothing else.
  private static func removeStale(
    _ path: String,
    _ address: sockaddr_un,
    in directory: borrowing SocketDirectory
  ) throws(ControlSocketError) {
    guard let found = try? PinnedFile(directory.name, in: directory.raw) else { return }
    guard found.isSocket else { throw .notASocket(path: path) }
    let probe = Descriptor(
      owning: socket(
        AF_UNIX,
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
        0
      )
    )
    let result = with(address) { connect(probe.raw, $0, $1) }
    // Only a refusal says that nobody is there; one without our lock may be, as an older daemon.
    guard result != 0, errno == ECONNREFUSED else { throw .busy(path: path, pid: nil) }
    unlinkat(directory.raw, directory.name, 0)
  }

  private static func with<Result>(
    _ address: sockaddr_un,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func pid(in lock: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(lock, &bytes, bytes.count, 0)
    return count > 0
      ? Int32(String(decoding: bytes[..<count], as: UTF8.self).filter(\.isNumber)) : nil
  }

  private static func write(pid: Int32, to lock: Int32) {
    ftruncate(lock, 0)
    let text = Array("\(pid)\n".utf8)
    _ = pwrite(lock, text, text.count, 0)
  }
}

import CLinux
import Glibc

/// The Unix socket the daemon listens on, and the lock that says it is alive.
///
/// A socket file outlives a killed daemon, a lock does not: whoever holds the lock beside the socket may
/// replace the file, and nobody else touches it. See unix(7), flock(2).
final class ControlSocket {
  let path: String
  private let listener: Descriptor
  private let lock: Descriptor

  /// Why a daemon cannot listen, as one sentence with a remedy.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case tooLong(path: String, limit: Int)
    case busy(path: String, pid: Int32?)
    case notASocket(path: String)
    case system(SystemError)

    var description: String {
      switch self {
      case .tooLong(let path, let limit):
        "the socket's path has over \(limit) bytes: \(path); set TOCSIN_SOCKET to a shorter one"
      case .busy(let path, let pid):
        "another daemon\(pid.map { ", process \($0)," } ?? "") listens on \(path) already"
      case .notASocket(let path):
        "\(path) is there and is no socket; move it away or set TOCSIN_SOCKET"
      case .system(let error): "cannot listen: \(error)"
      }
    }
  }

  /// Listens; whoever may connect is checked again at each connection.
  ///
  /// - Parameters:
  ///   - path: the socket's file; its directory is made if it is absent.
  ///   - group: a group whose members may connect, beside the daemon's own user.
  init(path: String, group: gid_t?) throws(Failure) {
    self.path = path
    var address = sockaddr_un()
    let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard path.utf8.count <= limit else { throw .tooLong(path: path, limit: limit) }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    Self.makeDirectory(of: path)
    lock = try Self.checked("open", path + ".lock") {
      open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
      throw .busy(path: path, pid: Self.pid(in: lock.raw))
    }
    Self.write(pid: getpid(), to: lock.raw)
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
      if Self.answers(address) { throw .busy(path: path, pid: nil) }
      unlink(path)
    }
    listener = try Self.checked("socket", path) {
      socket(
        AF_UNIX,
        Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
        0
      )
    }
    do {
      try Self.listen(on: listener.raw, address, path: path, group: group)
    } catch { throw .system(error) }
  }

  /// Made for its owner alone, and opened to the group only once it is the right group's.
  private static func listen(
    on descriptor: Int32,
    _ address: sockaddr_un,
    path: String,
    group: gid_t?
  ) throws(SystemError) {
    let mask = umask(0o177)
    defer { umask(mask) }
    try check("bind", path) { with(address) { bind(descriptor, $0, $1) } }
    if let group {
      try check("chown", path) { lchown(path, uid_t.max, group) }
      try check("chmod", path) { chmod(path, 0o660) }
    }
    try check("listen", path) { Glibc.listen(descriptor, 64) }
  }

  private static func checked(
    _ operation: String,
    _ path: String,
    _ body: () -> Int32
  ) throws(Failure) -> Descriptor {
    do {
      return Descriptor(owning: try check(operation, path, body))
    } catch { throw .system(error) }
  }

  var descriptor: Int32 { listener.raw }

  deinit { unlink(path) }

  /// Whether somebody without a lock of ours listens there, as an older daemon would.
  private static func answers(_ address: sockaddr_un) -> Bool {
    let probe = Descriptor(
      owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    )
    return with(address) { connect(probe.raw, $0, $1) } == 0 || errno == EAGAIN
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

  private static func makeDirectory(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    mkdir(String(path[..<slash]), 0o755)
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

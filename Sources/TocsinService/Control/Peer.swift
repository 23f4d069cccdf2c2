import CLinux
import Glibc

/// Who is at the other end of a connection, as the kernel knew it when it was made.
struct Peer: Hashable, Sendable {
  let pid: pid_t
  let uid: uid_t
  /// Its group and its supplementary groups.
  let groups: Set<gid_t>

  /// Asks the kernel, not the user database.
  ///
  /// That may be slow, and the kernel's answer is what the file's mode is checked against. See
  /// unix(7), SO_PEERCRED; socket(7), SO_PEERGROUPS.
  init(of socket: Int32) throws(SystemError) {
    var (pid, uid, gid) = (pid_t(0), uid_t(0), gid_t(0))
    let code = tocsin_peer(socket, &pid, &uid, &gid)
    guard code == 0 else { throw SystemError("getsockopt", "SO_PEERCRED", code: code) }
    self.init(pid: pid, uid: uid, groups: Self.groups(of: socket).union([gid]))
  }

  init(pid: pid_t, uid: uid_t, groups: Set<gid_t>) {
    self.pid = pid
    self.uid = uid
    self.groups = groups
  }

  /// The daemon's own user, root, and the members of the group may speak to it; nobody else.
  func isAllowed(owner: uid_t = geteuid(), group: gid_t?) -> Bool {
    isOwner(owner) || group.map(groups.contains) ?? false
  }

  /// Whether it may do what needs the daemon's own rights, such as naming a file to be written.
  func isOwner(_ owner: uid_t = geteuid()) -> Bool {
    uid == owner || uid == 0
  }

  /// What the other program calls itself, for the history; never trusted for anything.
  var program: String {
    guard let name = try? readSmallFile("/proc/\(pid)/comm") else { return "client" }
    return Self.printable(name)
  }

  /// A program may call itself anything, also what a terminal takes for commands.
  static func printable(_ name: String) -> String {
    let kept = name.unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: false
      default: true
      }
    }
    return kept.isEmpty ? "client" : String(String.UnicodeScalarView(kept))
  }

  /// The number of a group by its name, which may be slow to find; nil if there is none.
  static func group(named name: String) -> gid_t? {
    getgrnam(name)?.pointee.gr_gid
  }

  private static func groups(of socket: Int32) -> Set<gid_t> {
    var groups = [gid_t](repeating: 0, count: 64)
    let size = MemoryLayout<gid_t>.stride
    for _ in 0..<2 {
      var length = socklen_t(groups.count * size)
      if getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
        return Set(groups.prefix(Int(length) / size))
      }
      guard errno == ERANGE else { break }
      groups = [gid_t](repeating: 0, count: Int(length) / size)
    }
    return []
  }
}

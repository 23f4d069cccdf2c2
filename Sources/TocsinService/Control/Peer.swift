import CLinux
import Glibc

/// Who is at the other end of a connection, as the kernel knows it.
struct Peer: Hashable, Sendable {
  let pid: pid_t
  let uid: uid_t
  let gid: gid_t

  /// Asks the kernel. See unix(7), SO_PEERCRED.
  init(of socket: Int32) throws(SystemError) {
    var (pid, uid, gid) = (pid_t(0), uid_t(0), gid_t(0))
    let code = tocsin_peer(socket, &pid, &uid, &gid)
    guard code == 0 else { throw SystemError("getsockopt", "SO_PEERCRED", code: code) }
    self.init(pid: pid, uid: uid, gid: gid)
  }

  init(pid: pid_t, uid: uid_t, gid: gid_t) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }

  /// The daemon's own user, root, and the members of the group may speak to it; nobody else.
  func isAllowed(owner: uid_t = geteuid(), group: gid_t?) -> Bool {
    if uid == owner || uid == 0 { return true }
    guard let group else { return false }
    return gid == group || isMember(of: group)
  }

  /// What the other program calls itself, for the history; never trusted for anything.
  var program: String {
    guard let name = try? readSmallFile("/proc/\(pid)/comm") else { return "client" }
    return String(name.filter { !$0.isNewline })
  }

  private func isMember(of group: gid_t) -> Bool {
    guard let entry = getpwuid(uid), let name = entry.pointee.pw_name else { return false }
    var groups = [gid_t](repeating: 0, count: 256)
    var count = Int32(groups.count)
    guard getgrouplist(name, entry.pointee.pw_gid, &groups, &count) >= 0 else { return false }
    return groups.prefix(Int(count)).contains(group)
  }

  /// The number of a group by its name; nil if there is none.
  static func group(named name: String) -> gid_t? {
    getgrnam(name)?.pointee.gr_gid
  }
}

import Glibc

/// A file held by what it is: whoever gives its name to another file meanwhile changes nothing.
///
/// It is held without being opened (`O_PATH`, open(2)), so no FIFO waits, no device notices, and
/// closing it drops no lock of SQLite's. A symbolic link is held itself and never followed.
struct PinnedFile: ~Copyable {
  /// Which file it is, on whichever path.
  struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  private let descriptor: Descriptor
  private let path: String
  private let status: stat

  /// Holds what has that name now.
  ///
  /// - Parameters:
  ///   - path: the file, from the directory on if it is relative.
  ///   - directory: a descriptor, or the working directory.
  /// - Throws: `SystemError` if there is nothing.
  init(_ path: String, in directory: Int32 = AT_FDCWD) throws(SystemError) {
    let held = Descriptor(
      owning: try check("open", path) {
        openat(directory, path, Self.onlyPath | O_NOFOLLOW | O_CLOEXEC)
      }
    )
    var status = stat()
    let raw = held.raw
    try check("stat", path) { fstat(raw, &status) }
    self.path = path
    self.status = status
    descriptor = held
  }

  var raw: Int32 { descriptor.raw }
  var owner: uid_t { status.st_uid }
  var mode: mode_t { status.st_mode & 0o7777 }
  var identity: Identity { Identity(device: status.st_dev, number: status.st_ino) }
  var isSocket: Bool { status.st_mode & S_IFMT == S_IFSOCK }
  var isLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
  var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

  /// Changes its mode, and nothing if it has that already.
  func change(mode: mode_t) throws(SystemError) {
    guard mode != self.mode else { return }
    // fchmod(2) takes no such descriptor; the link in /proc leads to the file and to no name.
    try check("chmod", path) { chmod("/proc/self/fd/\(descriptor.raw)", mode) }
  }

  /// Changes its group.
  func change(group: gid_t) throws(SystemError) {
    try check("chown", path) { fchownat(descriptor.raw, "", uid_t.max, group, Self.emptyPath) }
  }

  // Glibc's module does not show what is behind _GNU_SOURCE; both are the same on all of Linux's
  // processors that Swift knows. Source: <fcntl.h>.
  static let onlyPath: Int32 = 0o10000000
  private static let emptyPath: Int32 = 0x1000
}

/// Whether an open file is one that this process alone means: a regular file, with one name, of this
/// user, of root or, for root, of anybody.
///
/// A second name may be somebody's who wants to have another file written to.
func isOwnFile(_ descriptor: Int32) -> Bool {
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return false }
  let (user, owner) = (geteuid(), status.st_uid)
  return status.st_mode & S_IFMT == S_IFREG && status.st_nlink <= 1
    && (user == 0 || owner == user || owner == 0)
}

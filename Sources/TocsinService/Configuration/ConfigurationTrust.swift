import Glibc

/// Whether a file may say which programs the daemon runs: whoever writes it has the daemon's rights.
///
/// It must belong to the daemon's user, to root, or to whom the daemon's own program belongs, who has
/// those rights anyway. It must not be open to writing by everybody, nor by a group other than the
/// daemon's own: many systems let each person's own group write what that person makes.
enum ConfigurationTrust {
  /// Who reads.
  struct Reader {
    var user = geteuid()
    var group = getegid()
    /// The owner of the running program; nil if that is not known.
    var programOwner: uid_t? = ConfigurationTrust.programOwner
  }

  /// What is wrong with an open file and what to do about it; nil if it may be believed.
  static func fault(of descriptor: Int32, reader: Reader = Reader()) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return fault(of: status, reader: reader)
  }

  static func fault(of status: stat, reader: Reader) -> String? {
    // A directory says so itself when it is read.
    if status.st_mode & S_IFMT == S_IFDIR { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { return "it is not a file" }
    let (owner, group, mode) = (status.st_uid, status.st_gid, status.st_mode)
    guard owner == reader.user || owner == 0 || owner == reader.programOwner else {
      return "it belongs to user \(owner) and names programs that user \(reader.user) would run: "
        + "make it user \(reader.user)'s or root's"
    }
    if mode & 0o002 != 0 {
      return "everybody may write to it, and it names programs to run: chmod o-w"
    }
    if mode & 0o020 != 0, group != reader.group {
      return "group \(group) may write to it, and it names programs to run: chmod g-w"
    }
    return nil
  }

  private static let programOwner: uid_t? = {
    var status = stat()
    return stat("/proc/self/exe", &status) == 0 ? status.st_uid : nil
  }()
}

import Glibc

/// A user of the system with all groups, looked up before a process becomes that user.
struct Account: Hashable, Sendable {
  var name: String
  var uid: uid_t
  var gid: gid_t
  var groups: [gid_t]
  var home: String
  var shell: String

  /// Looks a name up; nil if there is none.
  ///
  /// - Throws: `SystemError` if the user database cannot be asked.
  init?(named name: String) throws(SystemError) {
    let entry = try Self.find { record, buffer, count, result in
      getpwnam_r(name, record, buffer, count, result)
    }
    guard let entry else { return nil }
    self = entry
  }

  /// What the database says of a number; the number itself if it says nothing.
  static func name(of uid: uid_t) -> String {
    let entry = try? find { record, buffer, count, result in
      getpwuid_r(uid, record, buffer, count, result)
    }
    return (entry ?? nil)?.name ?? "user \(uid)"
  }

  private static func find(
    _ look: (
      UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32
  ) throws(SystemError) -> Account? {
    var count = 1024
    while true {
      var record = passwd()
      var result: UnsafeMutablePointer<passwd>?
      var account: Account?
      let code = withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
        guard let base = buffer.baseAddress else { return ENOMEM }
        let code = look(&record, base, count, &result)
        // Its texts lie in the buffer.
        if code == 0, result != nil { account = Account(record) }
        return code
      }
      if code == ERANGE, count < 1 << 20 {
        count *= 4
      } else if code == 0 || [ENOENT, ESRCH, EPERM, EBADF].contains(code) {
        // Several libraries say of a name that is not there what is in this list: getpwnam_r(3).
        return account
      } else if code != EINTR {
        throw SystemError("getpwnam", code: code)
      }
    }
  }

  private init(_ record: passwd) {
    func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    name = text(record.pw_name)
    uid = record.pw_uid
    gid = record.pw_gid
    home = text(record.pw_dir)
    shell = text(record.pw_shell)
    var count: Int32 = 64
    var groups = [gid_t](repeating: 0, count: Int(count))
    // It says how many there are when they find no room.
    while getgrouplist(record.pw_name, record.pw_gid, &groups, &count) < 0, count > groups.count {
      groups = [gid_t](repeating: 0, count: Int(count))
    }
    self.groups = Array(groups.prefix(Int(count)))
  }
}

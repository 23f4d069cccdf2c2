import Glibc
import ProcessTesting

/// Programs as other users.
enum Users {
  static let canBeOthers =
    geteuid() == 0 && Program.exists("setpriv") && Mounts.arePermitted

  /// The words that are a program as another user, in the groups given.
  static func words(as user: Int, groups: [Int] = [], _ words: [String]) -> [String] {
    let more =
      groups.isEmpty
      ? ["--clear-groups"] : ["--groups=" + groups.map(String.init).joined(separator: ",")]
    return ["setpriv", "--reuid=\(user)", "--regid=\(user)"] + more + words
  }

  /// The same with empty directories, root's, in the place of some of the machine's.
  static func isolated(_ directories: [String], as user: Int, _ words: String...) -> [String] {
    Mounts.words(
      directories.map { "mount -t tmpfs -o mode=755 none \($0)" },
      then: "setpriv"
    ) + Self.words(as: user, words).dropFirst()
  }
}

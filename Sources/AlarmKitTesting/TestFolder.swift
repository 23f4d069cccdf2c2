import AlarmKit
import Glibc

/// A folder of one test, removed with the last who uses it.
final class TestFolder: Sendable {
  let path: String

  /// The file that alarms are kept in.
  var store: String { "\(path)/alarms.db" }
  /// The socket that the program under test connects to.
  var socket: String { "\(path)/socket" }

  /// Makes the folder, in memory where there is a file system for it: nothing has to outlive the test.
  init() throws {
    let inMemory = "/dev/shm"
    let parent =
      access(inMemory, W_OK | X_OK) == 0
      ? inMemory : FileManager.default.temporaryDirectory.path
    // A socket's path may be no longer than 107 bytes, so a short name.
    path = "\(parent)/alarmkit-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

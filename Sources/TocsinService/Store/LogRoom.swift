import Glibc

/// Room in the write-ahead log beyond what is in it, so that a commit does not make the file longer.
///
/// A longer file costs the file system a journal write with every fdatasync, half as much again as the
/// data. SQLite never shortens the log while it is open, and takes zeros at its end for what they are:
/// no frames. Source: SQLite file format, 4.1 and 4.5.
package enum LogRoom {
  /// How much is made at a time: 2 MiB, what the log holds at most before a quiet moment empties it.
  package static let step = 2 << 20
  /// What must stay free beside it; a small disk keeps its space for alarms.
  package static let spare = 64 << 20

  /// Fills a log up to so many bytes; whatever stands in the way, the log works without.
  static func make(in path: String, bytes: Int) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var file = stat()
    var disk = statvfs()
    guard fstat(descriptor, &file) == 0, file.st_size > 0, Int(file.st_size) < bytes,
      fstatvfs(descriptor, &disk) == 0, Int(disk.f_bavail) * Int(disk.f_frsize) > spare
    else { return }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    var end = Int(file.st_size)
    while end < bytes {
      let count = pwrite(descriptor, zeros, min(zeros.count, bytes - end), off_t(end))
      guard count > 0 else { break }
      end += count
    }
    fsync(descriptor)
  }
}

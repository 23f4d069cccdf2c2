import Glibc

/// What tells one state of a file from another.
struct FileIdentity: Hashable, Sendable {
  var device: UInt
  var inode: UInt
  var size: Int64
  var seconds: Int
  var nanoseconds: Int

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int64(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// A file open for reading; never anything else, as that might block or, as a watchdog does, act.
final class RegularFile {
  let descriptor: CInt
  let identity: FileIdentity

  var length: Int64 { identity.size }

  /// Opens it.
  ///
  /// - Throws: `SoundError` with `.unreadable`, `.isFolder` or `.notRegular`.
  init(_ path: String) throws(SoundError) {
    // Looked at before it is opened: opening a device may do something.
    try Self.check(Self.status(path), path)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SoundError(.unreadable(errno), path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw SoundError(.unreadable(number), path)
    }
    do { try Self.check(status, path) } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    identity = FileIdentity(status)
  }

  deinit { close(descriptor) }

  /// What is at a path, links followed.
  static func status(_ path: String) throws(SoundError) -> stat {
    var status = stat()
    guard stat(path, &status) == 0 else { throw SoundError(.unreadable(errno), path) }
    return status
  }

  /// Whether a path leads to a folder.
  static func isFolder(_ path: String) throws(SoundError) -> Bool {
    try status(path).st_mode & S_IFMT == S_IFDIR
  }

  private static func check(_ status: stat, _ path: String) throws(SoundError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw SoundError(.isFolder, path)
    default: throw SoundError(.notRegular, path)
    }
  }

  /// Reads without moving any position; fewer bytes than asked for at the end or after an error.
  func read(at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + done)
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return done
  }

  /// Bytes from that place on; `count` must come from the program, not from a file.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }
}

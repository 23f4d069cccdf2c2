import Glibc

/// The hold of one process on a store: an exclusive lock on a file beside it.
///
/// The kernel drops it with the process, however that ends, so nothing is ever stale; the number in
/// the file only serves to name the holder. Source: flock(2).
package struct StoreLock: ~Copyable {
  private let descriptor: Int32
  /// Whether it only holds the directory, because no file could be made in it.
  package let isOnDirectory: Bool

  /// Takes the lock.
  ///
  /// Where the directory takes no new file, the directory itself is locked: enough to keep a second
  /// daemon out, and needing no write.
  ///
  /// - Throws: `StoreError` with `locked` and the holder's process, or `cannotOpen`.
  package init(_ files: StoreFiles) throws(StoreError) {
    let path = files.lock
    var fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    var isOnDirectory = false
    if fd < 0, errno == ELOOP {
      throw StoreError(
        .cannotOpen,
        "lock",
        path: path,
        errno: ELOOP,
        message: "it is a symbolic link"
      )
    }
    if fd < 0, errno == EROFS || errno == ENOSPC || errno == EDQUOT || errno == EACCES {
      // A file that cannot be written can be locked all the same.
      fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if fd < 0, errno == ENOENT {
        fd = open(files.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        isOnDirectory = true
      }
    }
    guard fd >= 0 else { throw StoreError("lock", path: path, errno: errno) }
    guard isOnDirectory || isOwnFile(fd) else {
      close(fd)
      let message = "it is no file of user \(geteuid())'s alone, remove it"
      throw StoreError(.cannotOpen, "lock", path: path, errno: EPERM, message: message)
    }
    if !isOnDirectory { fchmod(fd, 0o600) }
    while flock(fd, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      if number == EINTR { continue }
      let holder = isOnDirectory ? nil : Self.holder(fd)
      close(fd)
      guard number == EWOULDBLOCK else { throw StoreError("lock", path: path, errno: number) }
      let who = holder.map { "process \($0)" } ?? "another process"
      throw StoreError(
        .locked(pid: holder),
        "lock",
        path: path,
        errno: number,
        message: "\(who) holds it"
      )
    }
    descriptor = fd
    self.isOnDirectory = isOnDirectory
    sign(files)
  }

  /// Writes this process's number into the file, for others to name.
  ///
  /// Once more where the file could not be written at first; without it the lock holds just the same.
  package func sign(_ files: StoreFiles) {
    guard !isOnDirectory else { return }
    let fd = open(files.lock, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard fd >= 0 else { return }
    defer { close(fd) }
    // Only the file that is locked, whatever has its name now.
    var (named, locked) = (stat(), stat())
    guard fstat(fd, &named) == 0, fstat(descriptor, &locked) == 0,
      named.st_dev == locked.st_dev, named.st_ino == locked.st_ino
    else { return }
    let text = Array("\(getpid())\n".utf8)
    ftruncate(fd, 0)
    _ = write(fd, text, text.count)
  }

  deinit {
    // The file stays: to remove it would let two processes lock two files of one name.
    if !isOnDirectory { ftruncate(descriptor, 0) }
    // Closing alone would leave the lock to a child that was forked but has not called exec yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  // A holder that could not write its number leaves the one of somebody who is gone.
  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    guard let pid = Int32(String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)),
      pid > 0, kill(pid, 0) == 0 || errno == EPERM
    else { return nil }
    return pid
  }
}

import Glibc
import TocsinModel
package import TocsinTime

/// The files of one store and what is done to them as a whole.
///
/// Only whoever holds the `StoreLock` may move them.
package struct StoreFiles: Sendable {
  /// The database; its directory has no symbolic links in it once it was prepared.
  package private(set) var main: String

  /// The database's write-ahead log.
  package var log: String { main + "-wal" }
  /// The last good copy.
  package var backup: String { main + ".backup" }
  /// What a daemon holds while it uses the store.
  package var lock: String { main + ".lock" }
  /// What the database is called until it is whole.
  package var unfinished: String { main + ".new" }

  package init(path: String) {
    main = path
  }

  /// Whether a path, with the links in its directory resolved, is one the store uses itself.
  package func owns(_ path: String) -> Bool {
    var other = StoreFiles(path: path)
    try? other.resolveDirectory()
    return [main, log, main + "-shm", main + "-journal", backup, lock, unfinished]
      .contains(other.main)
  }

  /// Whether the database and its directory may be written, as far as that shows without writing.
  package var takesWrites: Bool {
    access(directory, W_OK) == 0 && (access(main, W_OK) == 0 || errno == ENOENT)
  }

  /// The directory the files are in.
  package var directory: String { PathParts(main).directory }

  /// The database's name without its directory.
  package var name: String { PathParts(main).name }

  /// Makes the directory (mode 0700) where it is absent, and takes symbolic links out of its path.
  ///
  /// SQLite refuses links in any part of a path when it is told to refuse one in the last.
  package mutating func prepareDirectory() throws(StoreError) {
    try Self.makeDirectory(directory)
    try resolveDirectory()
  }

  private mutating func resolveDirectory() throws(StoreError) {
    guard let resolved = realpath(directory, nil) else {
      throw StoreError("open the directory", path: directory, errno: errno)
    }
    defer { free(resolved) }
    let path = String(cString: resolved)
    main = (path == "/" ? "" : path) + "/" + name
  }

  private static func makeDirectory(_ path: String) throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 { return }
    let parent = PathParts(path).directory
    if parent != path { try makeDirectory(parent) }
    guard mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      throw StoreError("make the directory", path: path, errno: errno)
    }
    // Whatever the umask left of it.
    if let made = try? PinnedFile(path) { try? made.change(mode: 0o700) }
  }

  /// The size of a file in bytes; nil if there is none.
  package static func size(_ path: String) -> Int? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// When a file was last written; nil if there is none.
  package static func modified(_ path: String) -> Instant? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Instant(seconds: Int64(status.st_mtim.tv_sec))
  }

  /// Renames a database with its log and what else SQLite left beside it, byte for byte.
  ///
  /// - Parameters:
  ///   - path: the database, which may be absent while its log is there.
  ///   - reason: a word for the new name: `damaged`.
  ///   - now: the wall clock, for the new name.
  /// - Returns: the database's new name: `PATH.REASON-20270327T120000Z`.
  /// - Throws: `StoreError`; the database itself is where it was then.
  package func moveAside(
    _ path: String,
    reason: String,
    now: Instant
  ) throws(StoreError) -> String {
    let stem = "\(path).\(reason)-\(compactUTC(now))"
    var target = stem
    var count = 1
    while ["", "-wal", "-shm", "-journal"].contains(where: { Self.size(target + $0) != nil }) {
      count += 1
      target = "\(stem).\(count)"
    }
    // The log goes first: a database whose log is gone is still the same database if the power
    // fails here, but a log without its database would be thrown away by SQLite.
    if Self.size(path + "-wal") == 0 { unlink(path + "-wal") }
    for suffix in ["-wal", "-shm", "-journal", ""] where Self.size(path + suffix) != nil {
      guard Glibc.rename(path + suffix, target + suffix) == 0 else {
        throw StoreError("move aside", path: path + suffix, errno: errno)
      }
    }
    try syncDirectory()
    return target
  }

  /// Gives a finished file its name and makes that durable.
  package func rename(_ from: String, to path: String) throws(StoreError) {
    guard Glibc.rename(from, path) == 0 else {
      throw StoreError("write", path: path, errno: errno)
    }
    try Self.syncDirectory(of: path)
  }

  /// Removes a file that was not finished; it need not be there.
  package static func discard(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Makes an empty file (mode 0600, whatever the umask) where nothing is.
  package static func makeEmpty(_ path: String) throws(StoreError) {
    close(try makeAndOpen(path))
  }

  private static func makeAndOpen(_ path: String) throws(StoreError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("make", path: path, errno: errno) }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Takes a file's other readers away (mode 0600), where that is allowed.
  package static func keepPrivate(_ path: String) {
    guard let file = try? PinnedFile(path), file.isRegular else { return }
    try? file.change(mode: 0o600)
  }

  /// Copies a file and makes the copy durable.
  ///
  /// - Note: must not be used on a file that SQLite has open: closing it drops SQLite's locks.
  package static func copy(_ path: String, to target: String) throws(StoreError) {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else { throw StoreError("read", path: path, errno: errno) }
    defer { close(source) }
    guard isRegularFile(source) else {
      throw StoreError(.cannotOpen, "read", path: path, errno: 0, message: "it is not a file")
    }
    let copy = try makeAndOpen(target)
    defer { close(copy) }
    var block = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(source, &block, block.count)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw StoreError("read", path: path, errno: errno)
      }
      var written = 0
      while written < count {
        let result = block[written..<count].withUnsafeBytes {
          write(copy, $0.baseAddress, $0.count)
        }
        if result < 0 {
          if errno == EINTR { continue }
          throw StoreError("write", path: target, errno: errno)
        }
        written += result
      }
    }
    guard fsync(copy) == 0 else { throw StoreError("write", path: target, errno: errno) }
  }

  /// Makes a file's content durable.
  package static func sync(_ path: String) throws(StoreError) {
    try sync(path, O_RDONLY)
  }

  /// Makes new and changed names in the store's directory durable.
  package func syncDirectory() throws(StoreError) {
    try Self.sync(directory, O_RDONLY | O_DIRECTORY)
  }

  private static func syncDirectory(of path: String) throws(StoreError) {
    try sync(StoreFiles(path: path).directory, O_RDONLY | O_DIRECTORY)
  }

  private static func sync(_ path: String, _ flags: Int32) throws(StoreError) {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError("write", path: path, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw StoreError("write", path: path, errno: errno) }
  }
}

/// Whether what is open is neither a directory nor a FIFO, a device or a socket.
func isRegularFile(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// An instant as it stands in a file's name: 20270327T120000Z.
func compactUTC(_ instant: Instant) -> String {
  var seconds = time_t(instant.microseconds / 1_000_000)
  var parts = tm()
  gmtime_r(&seconds, &parts)
  var characters = [CChar](repeating: 0, count: 32)
  let count = strftime(&characters, characters.count, "%Y%m%dT%H%M%SZ", &parts)
  return String(decoding: characters[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
}

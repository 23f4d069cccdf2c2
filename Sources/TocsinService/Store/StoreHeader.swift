import Glibc

/// What the first bytes of a file say, read before SQLite may touch it.
enum StoreHeader: Equatable {
  case absent
  /// Certainly not a database.
  case damaged(String)
  /// A database whose version is as given, unless its log says otherwise.
  case database(version: Int)

  /// Reads the header of a file.
  ///
  /// Source: sqlite.org/fileformat2.html, section 1.3.
  ///
  /// - Throws: `StoreError` if the file is there but cannot be read.
  static func read(_ path: String) throws(StoreError) -> StoreHeader {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return .absent }
      let message = errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno))
      throw StoreError(.cannotOpen, "open", path: path, errno: errno, message: message)
    }
    defer { close(descriptor) }
    guard isRegularFile(descriptor) else {
      throw StoreError(.cannotOpen, "open", path: path, errno: 0, message: "it is not a file")
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw StoreError("read", path: path, errno: errno) }
    if count == 0 { return .damaged("it is empty") }
    guard count == bytes.count, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return .damaged("it is not a database")
    }
    return .database(version: bytes[60..<64].reduce(0) { $0 << 8 | Int($1) })
  }
}

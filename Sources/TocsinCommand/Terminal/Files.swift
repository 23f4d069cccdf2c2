import Glibc

/// A file that could not be read.
struct FileError: Error, CustomStringConvertible {
  var path: String
  var code: Int32

  var description: String {
    code == EFBIG
      ? "cannot read \(path.printable): it is too long"
      : "cannot read \(path.printable): \(String(cString: strerror(code)))"
  }
}

/// The bytes of the file.
///
/// - Parameters:
///   - path: the file.
///   - limit: in bytes; a longer file is an error.
/// - Returns: all of it.
/// - Throws: `FileError`.
func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  while true {
    let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { chunk in
      let count = read(descriptor, chunk.baseAddress, chunk.count)
      if count > 0 { bytes.append(contentsOf: chunk[..<count]) }
      return count < 0 ? -Int(errno) : count
    }
    if count == 0 { return bytes }
    if count == -Int(EINTR) { continue }
    guard count > 0 else { throw FileError(path: path, code: Int32(-count)) }
    guard bytes.count <= limit else { throw FileError(path: path, code: EFBIG) }
  }
}

/// Where the symbolic link leads; nil if it is none.
func symbolicLink(_ path: String) -> String? {
  withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
    guard let base = buffer.baseAddress else { return nil }
    let count = readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}

/// The path as any process sees it, whatever its working directory.
func absolutePath(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let directory = getcwd(nil, 0) else { return path }
  defer { free(directory) }
  return String(cString: directory) + "/" + path
}

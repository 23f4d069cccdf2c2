import Glibc

/// The files of the configuration as they are on the disk.
package enum ConfigurationFile {
  /// Why a file that is there is not read.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The kernel refused.
    case system(SystemError)
    /// Somebody else could say which programs the daemon runs; a sentence with the remedy.
    case distrusted(String)

    package var description: String {
      switch self {
      case .system(let error): "\(error)"
      case .distrusted(let sentence): sentence
      }
    }
  }

  /// The most bytes one may have.
  private static let limit = 1024 * 1024

  /// Reads a regular file of at most 1 MiB; nil if there is none.
  package static func read(_ path: String) throws(Failure) -> [UInt8]? {
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw .system(SystemError("open", path)) }
      return nil
    }
    let file = Descriptor(owning: raw)
    if let fault = ConfigurationTrust.fault(of: file.raw) { throw .distrusted(fault) }
    do throws(SystemError) {
      return try bytes(of: file.raw, path)
    } catch {
      throw .system(error)
    }
  }

  private static func bytes(of file: Int32, _ path: String) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try check("read", path) { Glibc.read(file, &chunk, chunk.count) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else { throw SystemError("read", path, code: EFBIG) }
    }
  }

  /// The names in a directory of drop-ins; empty if there is none.
  ///
  /// One that is there and cannot be read is an error: plugins would be missing without a word.
  package static func dropIns(_ path: String) throws(SystemError) -> [String] {
    let directory = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard directory >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemError("open", path) }
      return []
    }
    close(directory)
    return directoryNames(path)
  }
}

/// The names in a directory; empty if it cannot be read.
package func directoryNames(_ path: String) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    // The name is an array of fixed size in the header, longer or shorter in truth: read to its zero.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    names.append(
      String(
        cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      )
    )
  }
  return names
}

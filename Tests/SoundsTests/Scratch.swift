import Glibc

/// A folder that is gone afterwards.
final class Scratch {
  struct Failure: Error { var what: String }

  let path: String

  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/sounds-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(what: "mkdtemp") }
    path = String(cString: made)
  }

  deinit { Scratch.remove(path) }

  /// Writes a file, making its folders, and gives its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let path = "\(self.path)/\(name)"
    makeFolders(name)
    guard let file = fopen(path, "w") else { throw Failure(what: path) }
    defer { fclose(file) }
    let bytes = Array(bytes)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(what: path) }
    return path
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  @discardableResult
  func folder(_ name: String) -> String {
    makeFolders(name + "/")
    return "\(path)/\(name)"
  }

  private func makeFolders(_ name: String) {
    var folder = path
    for part in name.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += "/\(part)"
      mkdir(folder, 0o755)
    }
  }

  private static func remove(_ path: String) {
    chmod(path, 0o755)
    if let directory = opendir(path) {
      var names: [String] = []
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
      }
      closedir(directory)
      for name in names { remove("\(path)/\(name)") }
    }
    if rmdir(path) != 0 { unlink(path) }
  }
}

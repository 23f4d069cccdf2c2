import Glibc

/// A folder that is gone, with all that is in it, when this is.
package final class TemporaryFolder {
  /// Short, as a socket's path has 107 bytes at most.
  package let path: String

  package init() throws {
    var template = Array("/tmp/tocsin.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no folder can be made in /tmp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    guard unlink(path) != 0, let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { remove("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }
}

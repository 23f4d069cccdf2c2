import Glibc
import ProcessTesting

/// A folder that is gone afterwards.
final class Scratch {
  struct Failure: Error { var what: String }

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

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
}

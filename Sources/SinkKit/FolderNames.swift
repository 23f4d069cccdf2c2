import Glibc

/// What is in a folder.
package enum FolderNames {
  /// Names that are read, at most: nobody puts more into one on purpose.
  private static let limit = 10_000

  /// The names in a folder, in no order, without hidden ones; none if it cannot be read.
  package static func read(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

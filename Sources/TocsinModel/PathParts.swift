/// A path taken apart at its last slash, as dirname(1) and basename(1) do; the disk is not asked.
package struct PathParts: Hashable, Sendable {
  /// Where it is: "/" for what is in the root, "." for a name alone.
  package let directory: String
  /// What follows the last slash; empty for a path that ends with one.
  package let name: String

  package init(_ path: String) {
    guard let slash = path.lastIndex(of: "/") else {
      (directory, name) = (".", path)
      return
    }
    directory = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.index(after: slash)...])
  }
}

import Glibc

/// Finds the program that `run` names: beside the daemon, then in libexec, then in PATH.
package struct ProgramFinder: Sendable {
  /// The folders in the order they are looked into.
  package var directories: [String]

  package init(programDirectory: String, environment: [String: String]) {
    directories = [programDirectory, "\(programDirectory)/../libexec/tocsin"]
    // Relative entries would mean whatever folder the daemon was started in.
    directories += (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
      .filter { $0.hasPrefix("/") }.map(String.init)
  }

  /// Why a program cannot be started.
  package struct Missing: Error, Hashable, CustomStringConvertible {
    package var description: String
  }

  /// The path of the program; a name with a slash is a path already.
  package func find(_ name: String) throws(Missing) -> String {
    let candidates =
      name.contains("/") ? [name] : directories.map { "\($0)/\(name)" }
    var obstacle: String?
    for path in candidates {
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT != S_IFREG {
        obstacle = obstacle ?? "\(path) is not a program"
      } else if access(path, X_OK) != 0 {
        obstacle = obstacle ?? "\(path) is not executable, chmod +x it"
      } else {
        return path
      }
    }
    if let obstacle { throw Missing(description: obstacle) }
    throw Missing(
      description: name.contains("/")
        ? "there is no \(name)" : "there is no \(name) beside the daemon or in PATH, install it"
    )
  }
}

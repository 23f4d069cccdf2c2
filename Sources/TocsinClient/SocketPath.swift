/// Where the control socket is looked for.
package enum SocketPath {
  /// The longest path an address takes, in bytes, without its final zero; `sun_path`, unix(7).
  package static let limit = 107

  /// The system daemon's socket.
  package static let system = "/run/tocsin/tocsin.sock"

  /// The paths to try, the first that answers wins.
  ///
  /// `$TOCSIN_SOCKET` alone if it is set: who names a socket means no other, and a test must never
  /// reach the daemon of the machine it runs on. Else the user's own, then the system's.
  ///
  /// - Parameter environment: the value of a variable; an empty one counts as not set.
  /// - Returns: one path or two.
  /// - Throws: `ClientError.pathTooLong`.
  package static func candidates(
    environment: (String) -> String?
  ) throws(ClientError) -> [String] {
    var paths: [String] = []
    if let path = environment("TOCSIN_SOCKET"), !path.isEmpty {
      paths = [path]
    } else {
      // A relative directory is to be ignored: XDG Base Directory Specification, "Basics".
      if let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
        paths.append(
          directory.hasSuffix("/") ? directory + "tocsin.sock" : directory + "/tocsin.sock"
        )
      }
      paths.append(system)
    }
    for path in paths { try check(path) }
    return paths
  }

  /// Refuses a path that no address can hold.
  static func check(_ path: String) throws(ClientError) {
    guard path.utf8.count <= limit else { throw .pathTooLong(path: path) }
  }
}

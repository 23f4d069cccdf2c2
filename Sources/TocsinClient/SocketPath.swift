import TocsinModel

/// Where the control socket is looked for.
package enum SocketPath {
  /// The paths to try, the first that answers wins; `ServicePaths.sockets` says which.
  ///
  /// - Throws: `ClientError.pathTooLong`.
  package static func candidates(
    environment: (String) -> String?
  ) throws(ClientError) -> [String] {
    let paths = ServicePaths.sockets(environment: environment)
    for path in paths { try check(path) }
    return paths
  }

  /// Refuses a path that no address can hold.
  static func check(_ path: String) throws(ClientError) {
    guard path.utf8.count <= ServicePaths.socketLimit else { throw .pathTooLong(path: path) }
  }
}

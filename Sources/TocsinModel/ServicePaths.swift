/// Where the daemon and its clients meet, and where alarms are kept, by the environment alone.
///
/// Source: XDG Base Directory Specification; systemd.exec(5), StateDirectory.
package enum ServicePaths {
  /// The longest path a Unix socket's address takes, in bytes; `sun_path`, unix(7).
  package static let socketLimit = 107
  /// The system daemon's socket.
  package static let systemSocket = "/run/tocsin/tocsin.sock"
  /// The store's file in its directory.
  package static let storeName = "alarms.db"

  /// The sockets a client tries in turn; a daemon listens on the first.
  ///
  /// `TOCSIN_SOCKET` alone if it is set: who names a socket means no other. Else the user's, then the
  /// system's.
  package static func sockets(environment: (String) -> String?) -> [String] {
    if let path = environment("TOCSIN_SOCKET"), !path.isEmpty { return [path] }
    guard let directory = directory("XDG_RUNTIME_DIR", environment) else { return [systemSocket] }
    return [directory + "/tocsin.sock", systemSocket]
  }

  /// The store's file.
  package static func store(environment: (String) -> String?) -> String {
    // A service manager may name several, separated by colons.
    if let directories = environment("STATE_DIRECTORY"),
      let first = directories.split(separator: ":").first
    {
      return "\(first)/\(storeName)"
    }
    if let directory = directory("XDG_STATE_HOME", environment) {
      return "\(directory)/tocsin/\(storeName)"
    }
    if let home = directory("HOME", environment), home != "/" {
      return "\(home)/.local/state/tocsin/\(storeName)"
    }
    return "/var/lib/tocsin/\(storeName)"
  }

  /// A directory an environment variable names; relative ones do not count.
  private static func directory(
    _ variable: String,
    _ environment: (String) -> String?
  ) -> String? {
    guard var path = environment(variable), path.hasPrefix("/") else { return nil }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

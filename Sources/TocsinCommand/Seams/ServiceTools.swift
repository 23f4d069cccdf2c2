/// What the command only hands on to the service's own code.
enum ServiceTools {
  /// Plays a timeline on a virtual clock and prints a JSON line for each event.
  ///
  /// - Parameters:
  ///   - text: the whole timeline.
  ///   - name: the file's name, for errors with line and column.
  ///   - session: where the events are printed.
  /// - Returns: 0, or what the timeline's own faults come to.
  /// - Throws: `usage` for a line that cannot be read.
  static func simulate(
    _ text: String,
    name: String,
    session: Session
  ) throws(CommandFailure) -> ExitCode {
    throw CommandFailure(.software, "notBuilt", "simulate is not part of this build")
  }

  /// Copies the store into a file while no daemon runs.
  static func backUp(to path: String, session: Session) throws(CommandFailure) {
    throw CommandFailure(.software, "notBuilt", "backup without a daemon is not part of this build")
  }

  /// Replaces the store with a copy made by `backup`; only while no daemon runs.
  static func restore(from path: String, session: Session) throws(CommandFailure) {
    throw CommandFailure(.software, "notBuilt", "restore is not part of this build")
  }

  /// Checks plugins.conf.
  ///
  /// - Parameters:
  ///   - path: nil for the file that a daemon started here would read.
  ///   - session: the environment that says which file that is.
  /// - Returns: the path that was read, and each fault as `file:line:column: sentence`.
  /// - Throws: `noInput` if there is no such file.
  static func checkConfiguration(
    _ path: String?,
    session: Session
  ) throws(CommandFailure) -> (path: String, faults: [String]) {
    throw CommandFailure(.software, "notBuilt", "config is not part of this build")
  }

  /// The configuration as it is after all files are read, in the form of plugins.conf.
  static func showConfiguration(
    _ path: String?,
    session: Session
  ) throws(CommandFailure) -> String {
    throw CommandFailure(.software, "notBuilt", "config is not part of this build")
  }
}

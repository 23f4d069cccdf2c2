import TocsinModel
import TocsinService
import TocsinTime

/// What the command only hands on to the service's own code.
enum ServiceTools {
  /// Copies the store into a file while no daemon runs.
  static func backUp(to path: String, session: Session) throws(CommandFailure) {
    let service = try InProcessService.reading(session)
    defer { service.end() }
    try service.connection.ask(.backup(path: path))
  }

  /// Replaces the store with a copy made by `backup`; only while no daemon runs.
  static func restore(from path: String, session: Session) throws(CommandFailure) {
    do throws(StoreError) {
      let replaced = try Store.restore(
        from: path,
        to: ServicePaths.store { session.environment[$0] }
      )
      if let replaced { session.warn("what the store held before is in \(replaced)") }
    } catch {
      throw CommandFailure(starting: error)
    }
  }

  /// Checks plugins.conf.
  ///
  /// - Parameters:
  ///   - path: nil for the file that a daemon started here would read.
  ///   - session: whose environment says where that is.
  /// - Throws: never for faults in the file, which are returned.
  /// - Returns: the path that was read, and each fault as `file:line:column: sentence`.
  static func checkConfiguration(
    _ path: String?,
    session: Session
  ) throws(CommandFailure) -> (path: String, faults: [String]) {
    do throws(ConfigurationError) {
      let (_, files) = try ConfigurationFinder(environment: session.environment).load(file: path)
      return (files.first ?? "no plugins.conf anywhere, so the defaults are used, which", [])
    } catch {
      return (path ?? "plugins.conf", error.problems.map(\.description))
    }
  }

  /// The configuration as it is after all files are read, in the form of plugins.conf.
  static func showConfiguration(
    _ path: String?,
    session: Session
  ) throws(CommandFailure) -> String {
    try session.configuration(path).configuration.text
  }
}

extension Session {
  /// Reads plugins.conf: the named file, or the one that a daemon started here would read.
  func configuration(
    _ path: String? = nil
  ) throws(CommandFailure) -> (configuration: Configuration, files: [String]) {
    do throws(ConfigurationError) {
      return try ConfigurationFinder(environment: environment).load(file: path)
    } catch {
      throw CommandFailure(.configuration, ServiceError.Code.config.rawValue, "\(error)")
    }
  }
}

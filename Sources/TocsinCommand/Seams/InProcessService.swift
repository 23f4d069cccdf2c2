import Glibc
import TocsinClient
import TocsinModel
import TocsinService

/// The service inside this process, for when no daemon runs.
///
/// It speaks the same protocol over a socket pair, holds the store's lock and listens on the socket,
/// so that another terminal can stop what rings here.
final class InProcessService {
  /// Where requests go.
  let connection: Connection
  private let service: EmbeddedService

  private init(_ options: ServiceOptions) throws(CommandFailure) {
    do {
      service = try EmbeddedService(options)
    } catch {
      throw CommandFailure(starting: error)
    }
    connection = Connection(adopting: service.connection, path: "the service in this process")
  }

  /// Withdraws what is presented, saves, and ends its threads.
  func end() {
    connection.close()
    service.stop()
  }

  /// Starts a service that rings.
  ///
  /// - Throws: `storage` if the store is locked or broken, `configuration` for plugins.conf.
  static func start(_ session: Session) throws(CommandFailure) -> InProcessService {
    let options: ServiceOptions
    do throws(ConfigurationError) {
      options = try ServiceOptions.ofUser(
        environment: session.environment,
        socket: session.socket,
        isEphemeral: session.isEphemeral,
        isOverLiveLine: session.mayHaveLiveLine
      )
    } catch {
      throw CommandFailure(.configuration, ServiceError.Code.config.rawValue, "\(error)")
    }
    return try InProcessService(options)
  }

  /// Opens the store to be read only: it answers `list`, `show`, `next` and `history`, and rings
  /// nothing.
  ///
  /// - Parameters:
  ///   - session: whose environment says where the store is.
  ///   - withConfiguration: whether plugins.conf is read too, for `route`.
  /// - Throws: `storage` if the store is broken, `configuration` for plugins.conf.
  /// - Returns: a service that has started nothing.
  static func reading(
    _ session: Session,
    withConfiguration: Bool = false
  ) throws(CommandFailure) -> InProcessService {
    var options = ServiceOptions(
      readingFor: session.environment,
      isOverLiveLine: session.mayHaveLiveLine
    )
    options.rings = false
    if withConfiguration { options.configuration = try session.configuration().configuration }
    return try InProcessService(options)
  }
}

extension Session {
  /// Whether standard error is a terminal on which a live line may stand.
  fileprivate var mayHaveLiveLine: Bool {
    isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
  }
}

extension CommandFailure {
  /// Why a service could not be started in this process.
  init(starting error: any Error) {
    guard let error = error as? StoreError else {
      self.init(.unavailable, "cannotServe", "\(error)")
      return
    }
    switch error.kind {
    case .locked: self.init(.tryAgain, "busy", "\(error)")
    default: self.init(.storage, ServiceError.Code.storage.rawValue, "\(error)")
    }
  }
}

import TocsinClient
import TocsinModel
import TocsinService

/// Where a program finds its service, and what is in the way if it does not.
struct ServiceDoor: Sendable {
  /// How long a service that is too busy to accept is waited for at each try.
  static let patience = Duration.milliseconds(100)

  let place: ApplicationOptions.Place
  let environment: [String: String]

  /// What the decisions need to know of the place.
  var kind: LinkState.Place {
    switch place {
    case .automatic: .automatic
    case .daemon, .nowhere: .socket
    case .user, .embedded: .own
    }
  }

  /// Connects to the first socket at which somebody answers.
  func connect() -> Result<Connection, LinkObstacle> {
    do throws(ClientError) {
      return .success(try Connection.first(of: try sockets(), within: Self.patience))
    } catch {
      return .failure(LinkObstacle(error))
    }
  }

  private func sockets() throws(ClientError) -> [String] {
    switch place {
    case .daemon(let socket?): [socket]
    default: try SocketPath.candidates { environment[$0] }
    }
  }

  /// Starts a service in this process; it blocks as long as opening a store takes.
  func serve() -> Result<EmbeddedService, LinkObstacle> {
    do {
      return .success(try EmbeddedService(try options()))
    } catch {
      return .failure(LinkObstacle(starting: error))
    }
  }

  private func options() throws -> ServiceOptions {
    switch place {
    case .embedded(let options): options
    case .user(let isEphemeral):
      try ServiceOptions.ofUser(environment: environment, isEphemeral: isEphemeral)
    case .automatic, .daemon, .nowhere: try ServiceOptions.ofUser(environment: environment)
    }
  }
}

extension LinkObstacle: Error {
  /// Why a socket leads to nobody.
  init(_ error: ClientError) {
    let kind: Kind =
      switch error {
      case .noDaemon: .nobody
      case .refused, .stranger, .pathTooLong: .lasting
      case .timeout, .system, .lost, .tooLarge, .protocol, .service: .passing
      }
    self.init(kind, "\(error)")
  }

  /// Why a service cannot be started in this process.
  init(starting error: any Error) {
    // Another program is just starting or ending; it can soon be asked, or no longer has the store.
    var isPassing = false
    if let error = error as? StoreError, case .locked = error.kind { isPassing = true }
    if let error = error as? ServiceStartError { isPassing = error.isBusy }
    self.init(isPassing ? .passing : .lasting, "\(error)")
  }
}

package import TocsinClient
import TocsinModel
import TocsinService
package import TocsinTime

/// What else leads to the program's service.
extension ApplicationLink {
  /// One more connection to the same service, which has joined but is told of nothing: for a sink that the
  /// program attaches.
  ///
  /// - Returns: the connection, which is the caller's.
  /// - Throws: `ApplicationError`: not reached, or not answered in time.
  package func connect() throws(ApplicationError) -> Connection {
    _ = try wait(nil, options.answerTime)
    let connection = try newConnection()
    let limit = options.answerTime
    do throws(ClientError) {
      try connection.request(.join(Join(application: options.application)), within: limit)
    } catch {
      throw ApplicationError(error, limit)
    }
    return connection
  }

  private func newConnection() throws(ApplicationError) -> Connection {
    let (service, path) = core.destination
    guard let path else { throw .unavailable("the line to the alarms was just lost; try again") }
    guard path == LinkLoop.here, let service else {
      do throws(ClientError) {
        return try Connection(to: path, within: options.answerTime)
      } catch {
        throw ApplicationError(error, options.answerTime)
      }
    }
    do {
      return Connection(adopting: try service.connect(), path: path)
    } catch {
      throw .unavailable("\(error)")
    }
  }

  /// Waits until all that the service has sent so far is here, and each intent in it has run.
  package func settle() async {
    _ = try? await answer(to: .list(Request.ListFilter(limit: 0)))
    _ = await core.idle().result()
  }

  // MARK: - Clocks moved by hand

  /// Lets time pass on the `ManualClocks` of a service of its own.
  ///
  /// Returns when everything that came due has been handled, and all that changed stands in `alarms` and has
  /// been given to all who read updates. Not on the main actor if a sink that must answer runs there.
  package func advance(by duration: Duration) throws(ApplicationError) {
    try pass { $0.advance(by: duration) }
  }

  /// Lets time pass until the wall clock reads so much; see `advance(by:)`.
  package func advance(to instant: Instant) throws(ApplicationError) {
    try pass { $0.advance(to: instant) }
  }

  /// Somebody sets the wall clock; see `advance(by:)`.
  package func step(by duration: Duration) throws(ApplicationError) {
    try pass { $0.step(by: duration) }
  }

  /// Takes another zone for the machine's, by its name; see `advance(by:)`.
  ///
  /// - Throws: `ApplicationError.unavailable` if there is no such zone.
  package func setZone(_ name: String) throws(ApplicationError) {
    try pass { try $0.setZone(name) }
  }

  private func pass(
    _ body: (EmbeddedService) throws -> Void
  ) throws(ApplicationError) {
    _ = try wait(nil, options.answerTime)
    guard let service = core.destination.service else {
      throw .unavailable("a daemon's time cannot be moved; only that of a service in this process")
    }
    do {
      try body(service)
    } catch {
      throw .unavailable("\(error)")
    }
    // The answer to a list comes behind all changes before it.
    _ = try wait(.list(Request.ListFilter(limit: 0)), options.answerTime)
  }
}

extension ApplicationError {
  /// Why one more connection could not be made.
  init(_ error: ClientError, _ limit: Duration) {
    switch error {
    case .service(let error): self = .refused(error)
    case .timeout: self = .timeout(seconds: limit.seconds)
    default: self = .unavailable("\(error)")
    }
  }
}

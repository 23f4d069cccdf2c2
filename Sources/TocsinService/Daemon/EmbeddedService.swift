import CLinux
import Glibc
import TocsinEngine
package import TocsinTime

/// The service inside another program: the same code on a thread of its own, reached over a socket pair.
package final class EmbeddedService: Sendable {
  /// The program's end of the connection; it speaks the protocol and is closed by its owner.
  package let connection: Int32
  private let service: AlarmService
  private let thread: ReactorThread
  private let hasStopped = Lock(false)

  /// Starts a service and connects to it.
  ///
  /// - Throws: `StoreError` if another daemon has the store or it cannot be read, `ServiceStartError` or
  ///   `SystemError` if it cannot serve.
  package init(_ options: ServiceOptions) throws {
    SignalSource.ignoreBrokenPipes()
    let reactor = try Reactor()
    let pair = try ConnectedPair()
    let started = try Handover<AlarmService>()
    let settings = options.embedded
    // Children end with the thread that started them, so everything begins on the service's own.
    let thread = try ReactorThread(reactor, name: "alarms") {
      started.finish(
        Result {
          let service = try AlarmService(options: settings, reactor: reactor)
          try service.assumeIsolated {
            try $0.start()
            $0.adopt(pair.theirs.take())
          }
          return service
        }
      )
    }
    do {
      service = try started.wait()
    } catch {
      thread.stop()
      throw error
    }
    self.thread = thread
    connection = pair.mine.take()
  }

  /// Connects to the service once more.
  ///
  /// - Returns: another end like `connection`, closed by its owner.
  /// - Throws: `ServiceStartError` once the service was stopped, `SystemError` if the process is out of
  ///   descriptors. May be called on any thread.
  package func connect() throws -> Int32 {
    let pair = try ConnectedPair()
    try post { $0.adopt(pair.theirs.take()) }
    return pair.mine.take()
  }

  // MARK: - Clocks moved by hand

  /// Lets time pass on `ManualClocks`, and everything that comes due in it.
  ///
  /// Returns when all of it was handled and sent and each sink has answered, though it waits for no
  /// sink longer than a few seconds; at once if the service was stopped. From any other thread.
  package func advance(by duration: Duration) {
    pass { $0.boot + duration.microseconds }
  }

  /// Lets time pass on `ManualClocks` until the wall clock reads so much; see `advance(by:)`.
  package func advance(to instant: Instant) {
    pass { $0.boot + instant.microseconds - $0.wall.microseconds }
  }

  private func pass(until end: @escaping @Sendable (Now) -> Int64) {
    wait { service, done in service.advance(to: end(service.now)) { done(.success(())) } }
  }

  /// Somebody sets the wall clock of `ManualClocks`; returns when that was handled.
  ///
  /// Does nothing on other clocks, or once the service was stopped. From any other thread.
  package func step(by duration: Duration) {
    wait { service, done in
      if let clocks = service.options.clocks as? ManualClocks {
        clocks.step(by: duration)
        service.clockStepped()
      }
      done(.success(()))
    }
  }

  /// The machine of `ManualClocks` sleeps so long, and wakes; returns when that was handled.
  ///
  /// What came due meanwhile is met all at once, late. Does nothing on other clocks, or once the service
  /// was stopped. From any other thread.
  package func sleep(for duration: Duration) {
    wait { service, done in
      if let clocks = service.options.clocks as? ManualClocks {
        clocks.move(to: clocks.bootNow() + duration.microseconds)
        service.clockStepped()
      }
      done(.success(()))
    }
  }

  /// Takes another zone for the machine's, by its name; returns when that was handled.
  ///
  /// Does nothing once the service was stopped. From any other thread.
  ///
  /// - Throws: `ZoneError` if there is no such zone.
  package func setZone(_ name: String) throws {
    let result = wait { service, done in done(Result { try service.setZone(name) }) }
    try result?.get()
  }

  /// Says how something went on the service's thread.
  private typealias Saying = @Sendable (Result<Void, any Error>) -> Void

  /// Runs a body on the service's thread and waits for what it says; nil once the service was stopped.
  @discardableResult
  private func wait(
    _ body: @escaping @Sendable (isolated AlarmService, @escaping Saying) -> Void
  ) -> Result<Void, any Error>? {
    precondition(!service.reactor.isOnThread, "the service's own thread cannot wait for itself")
    guard let handover = try? Handover<Void>() else { return nil }
    do {
      try post { body($0) { handover.finish($0) } }
    } catch { return nil }
    return Result { try handover.wait() }
  }

  /// Hands a body to the service's thread, unless the service was stopped.
  private func post(_ body: @escaping @Sendable (isolated AlarmService) -> Void) throws {
    try hasStopped.withLock { hasStopped in
      // A loop that has ended would keep what is posted, and with it itself.
      if hasStopped { throw ServiceStartError(message: "the service in this program was stopped") }
      service.reactor.post { [service] in service.assumeIsolated { body($0) } }
    }
  }

  // MARK: - The end

  /// Withdraws what is presented, stores what is queued, and waits for the end of both; from any
  /// other thread, any number of times.
  package func stop() {
    hasStopped.withLock { hasStopped in
      guard !hasStopped else { return }
      hasStopped = true
      service.reactor.post { [service] in service.assumeIsolated { $0.stop() } }
    }
    thread.join()
  }
}

extension ServiceOptions {
  /// The same for a service inside a program.
  fileprivate var embedded: ServiceOptions {
    var options = self
    options.isEmbedded = true
    return options
  }
}

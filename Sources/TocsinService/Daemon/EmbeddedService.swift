import CLinux
import Glibc
import TocsinModel

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
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    let mine = Descriptor(owning: ends[0])
    let theirs = Loan(ends[1])
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let started = try Outcome()
    let settings = options.embedded
    // Children end with the thread that started them, so everything begins on the service's own.
    let thread = try ReactorThread(reactor, name: "alarms") {
      started.finish(
        Result {
          let service = try AlarmService(options: settings, reactor: reactor)
          try service.assumeIsolated {
            try $0.start()
            $0.adopt(theirs.take())
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
    connection = mine.release()
  }

  /// Withdraws what is presented, stores what is queued, and waits for the end of both; from any
  /// other thread, any number of times.
  package func stop() {
    let isFirst = hasStopped.withLock { hasStopped in
      defer { hasStopped = true }
      return !hasStopped
    }
    // A loop that has ended would keep what is posted, and with it itself.
    if isFirst { service.reactor.post { [service] in service.assumeIsolated { $0.stop() } } }
    thread.join()
  }

  /// A descriptor that is closed unless somebody takes it.
  private final class Loan: Sendable {
    private let descriptor: Lock<Int32>

    init(_ descriptor: Int32) {
      self.descriptor = Lock(descriptor)
    }

    deinit {
      let left = take()
      if left >= 0 { close(left) }
    }

    func take() -> Int32 {
      descriptor.withLock { descriptor in
        defer { descriptor = -1 }
        return descriptor
      }
    }
  }

  /// How starting went, handed from the service's thread to the one that waits for it.
  private final class Outcome: Sendable {
    private let result = Lock<Result<AlarmService, any Error>?>(nil)
    private let bell: Int32

    init() throws(SystemError) {
      bell = try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC)) }
    }

    deinit {
      close(bell)
    }

    func finish(_ result: Result<AlarmService, any Error>) {
      self.result.withLock { $0 = result }
      var one: UInt64 = 1
      while write(bell, &one, 8) < 0, errno == EINTR {}
    }

    func wait() throws -> AlarmService {
      var count: UInt64 = 0
      try check("read", "eventfd") { read(bell, &count, 8) }
      guard let result = result.withLock({ $0 }) else { throw SystemError("eventfd") }
      return try result.get()
    }
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

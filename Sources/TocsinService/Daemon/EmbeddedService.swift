import CLinux
import Glibc
import TocsinModel

/// The service inside another program: the same code on a thread of its own, reached over a socket pair.
package final class EmbeddedService: Sendable {
  /// The program's end of the connection; it speaks the protocol and is closed by its owner.
  package let connection: Int32
  private let service: AlarmService
  private let thread: ReactorThread

  /// Starts a service and connects to it.
  ///
  /// - Throws: `StoreError` if another daemon has the store or it cannot be read, `ServiceStartError` or
  ///   `SystemError` if it cannot serve.
  package init(_ options: ServiceOptions) throws {
    SignalSource.ignoreBrokenPipes()
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw SystemError("socketpair") }
    let (mine, theirs) = (ends[0], ends[1])
    _ = fcntl(theirs, F_SETFL, O_NONBLOCK)
    var options = options
    options.isEmbedded = true
    let started = Outcome()
    let (settings, reactor) = (options, try Reactor())
    // Children end with the thread that started them, so everything begins on the service's own.
    let thread = try ReactorThread(reactor, name: "alarms") {
      started.finish(
        Result {
          let service = try AlarmService(options: settings, reactor: reactor)
          try service.assumeIsolated {
            try $0.start()
            $0.adopt(theirs)
          }
          return service
        }
      )
    }
    do {
      service = try started.wait()
    } catch {
      thread.stop()
      close(theirs)
      close(mine)
      throw error
    }
    self.thread = thread
    connection = mine
  }

  /// Withdraws what is presented, stores what is queued, and waits for the end of both.
  package func stop() {
    let service = service
    service.reactor.post { service.assumeIsolated { $0.stop() } }
    thread.join()
  }

  /// How starting went, handed from the service's thread to the one that waits for it.
  private final class Outcome: Sendable {
    private let result = Lock<Result<AlarmService, any Error>?>(nil)
    private let ends: (reader: Int32, writer: Int32)

    init() {
      var pipe: [Int32] = [-1, -1]
      Glibc.pipe(&pipe)
      for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      ends = (pipe[0], pipe[1])
    }

    deinit {
      close(ends.reader)
      close(ends.writer)
    }

    func finish(_ result: Result<AlarmService, any Error>) {
      self.result.withLock { $0 = result }
      var byte: UInt8 = 0
      _ = write(ends.writer, &byte, 1)
    }

    func wait() throws -> AlarmService {
      var byte: UInt8 = 0
      while read(ends.reader, &byte, 1) < 0, errno == EINTR {}
      guard let result = result.withLock({ $0 }) else { throw SystemError("pipe2") }
      return try result.get()
    }
  }
}

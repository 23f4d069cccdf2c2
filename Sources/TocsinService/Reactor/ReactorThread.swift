import CLinux
import Glibc

/// A thread of its own for a reactor, for a process whose main thread has other work.
///
/// Children are tied to the thread that started them (PR_SET_PDEATHSIG), so it is a real thread, never
/// one of a pool.
package final class ReactorThread: Sendable {
  private let reactor: Reactor
  private let thread: Lock<pthread_t?>

  /// Starts the thread; `setUp` runs first on it.
  ///
  /// - Throws: `SystemError` if the process may have no more threads.
  package init(
    _ reactor: Reactor,
    name: String = "reactor",
    setUp: @Sendable @escaping () -> Void = {}
  ) throws(SystemError) {
    self.reactor = reactor
    reactor.post(setUp)
    let start = Unmanaged.passRetained(Start(reactor: reactor, name: name))
    var created = pthread_t()
    let code = pthread_create(&created, nil, runReactor, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemError("pthread_create", code: code)
    }
    thread = Lock(created)
  }

  /// Stops the loop and waits for its thread; from any other thread, any number of times.
  package func stop() {
    reactor.stop()
    join()
  }

  /// Waits for the thread, whose loop somebody stops; from any other thread, any number of times.
  package func join() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    if let running { pthread_join(running, nil) }
  }
}

private final class Start: Sendable {
  let reactor: Reactor
  let name: String

  init(reactor: Reactor, name: String) {
    self.reactor = reactor
    self.name = name
  }
}

private func runReactor(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
  tocsin_name_thread(start.name)
  do {
    try start.reactor.run()
  } catch {
    // Waiting cannot fail for a reason outside the process; a loop that cannot wait must not spin.
    preconditionFailure("\(error)")
  }
  return nil
}

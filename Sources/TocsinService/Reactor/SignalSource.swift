import CLinux
import Glibc

/// Signals as events of the loop: a signalfd.
///
/// A signal reaches it only if every thread blocks it, so `block` belongs at the very start of the
/// process; new threads inherit it. See signalfd(2).
package final class SignalSource {
  private let reactor: Reactor
  private let descriptor: Descriptor

  /// Keeps the signals from doing what they do by default, in the calling thread and those it starts.
  package static func block(_ signals: [Int32]) {
    var set = mask(signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Lets a write to a closed pipe or socket fail with EPIPE instead of ending the process.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Blocks the signals in the calling thread and calls `handler` on the loop for each that comes.
  package init(
    _ signals: [Int32],
    reactor: Reactor,
    _ handler: @escaping (Int32) -> Void
  ) throws(SystemError) {
    Self.block(signals)
    self.reactor = reactor
    var set = Self.mask(signals)
    descriptor = Descriptor(
      owning: try check("signalfd") {
        signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
      }
    )
    try reactor.watch(descriptor.raw, .readable) { [weak self] _ in
      while let signal = self?.next() { handler(signal) }
    }
  }

  private func next() -> Int32? {
    var record = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    return read(descriptor.raw, &record, size) == size ? Int32(record.ssi_signo) : nil
  }

  /// Watches no more, on the loop's thread; the signals stay blocked.
  package func cancel() {
    reactor.unwatch(descriptor.raw)
  }

  private static func mask(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}

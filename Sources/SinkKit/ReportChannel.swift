import Glibc

/// The way of the reports out: queued, written when there is room, gone when nobody reads.
final class ReportChannel {
  private let output: NonblockingOutput
  private var queue = ReportQueue()
  private(set) var isClosed = false

  init(_ descriptor: CInt) { output = NonblockingOutput(descriptor) }

  var descriptor: CInt { output.descriptor }
  var hasPending: Bool { !queue.pending.isEmpty }
  var isFull: Bool { queue.isFull }

  /// Queues the report and writes it at once where there is room: receipts are waited for.
  func send(_ report: SinkReport) {
    guard !isClosed else { return }
    queue.append(report)
    write()
  }

  func write() {
    while !isClosed, hasPending {
      switch output.write(queue.pending) {
      case .wrote(let count): queue.removeFirst(count)
      case .full: return
      case .closed: close()
      }
    }
  }

  func close() { isClosed = true }

  /// Waits for room until everything is written, but not for long.
  func flush(atMost limit: Duration, clock: SystemSinkClock) {
    let deadline = clock.elapsed + limit
    write()
    while !isClosed, hasPending, clock.elapsed < deadline {
      var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let rest = PollLoop.milliseconds(deadline - clock.elapsed)
      if poll(&wanted, 1, rest) > 0, Int32(wanted.revents) & POLLOUT == 0 { return }
      write()
    }
  }
}

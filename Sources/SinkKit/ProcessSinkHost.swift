import Glibc

/// Reads messages from one descriptor and writes reports to another until one of them ends.
final class ProcessSinkHost<S: Sink> {
  private let loop: PollLoop
  private let clock = SystemSinkClock()
  private let channel: ReportChannel
  private let session: SinkSession<S>
  private let input: CInt
  private var reader = LineReader(limit: JSONLine.limit, overlong: .skip)
  private var isInputOver = false

  init(input: CInt, output: CInt) {
    let loop = PollLoop(clock: clock)
    let channel = ReportChannel(output)
    self.loop = loop
    self.channel = channel
    self.input = input
    session = SinkSession(
      clock: clock,
      loop: loop,
      make: { try S(settings: $0, host: $1) },
      report: { channel.send($0) }
    )
  }

  func run() -> CInt {
    let signals = Signals.termination?.descriptor
    while session.outcome == .running {
      turn(signals: signals)
      if isInputOver || channel.isClosed { session.end() }
    }
    channel.flush(atMost: .milliseconds(500), clock: clock)
    return switch session.outcome {
    case .running, .ended: EXIT_SUCCESS
    case .misconfigured: 78
    case .unavailable: 69
    }
  }

  /// Waits for one thing to happen and deals with it.
  private func turn(signals: CInt?) {
    // Nothing is read while reports pile up; then only the end of the input is noticed.
    let reads = channel.isFull ? 0 : Int16(POLLIN)
    let writes = channel.hasPending ? Int16(POLLOUT) : 0
    var descriptors = [
      pollfd(fd: input, events: reads, revents: 0),
      pollfd(fd: channel.descriptor, events: writes, revents: 0),
      pollfd(fd: signals ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = loop.prepare(into: &descriptors)
    guard poll(&descriptors, nfds_t(descriptors.count), PollLoop.milliseconds(timeout)) >= 0 else {
      return
    }
    if descriptors[2].revents != 0 { return isInputOver = true }
    if Int32(descriptors[1].revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 {
      return channel.close()
    }
    if descriptors[1].revents != 0 { channel.write() }
    if descriptors[0].revents != 0 { read(descriptors[0].revents) }
    if session.outcome == .running { loop.dispatch(descriptors[3...]) }
    channel.write()
  }

  private func read(_ events: Int16) {
    guard Int32(events) & POLLIN != 0 else { return isInputOver = true }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = Glibc.read(input, &buffer, buffer.count)
    if count > 0 {
      for item in reader.read(buffer[..<count]) { take(item) }
    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
      for item in reader.finish() { take(item) }
      isInputOver = true
    }
  }

  private func take(_ item: LineReader.Item) {
    switch item {
    case .line(let line):
      guard !JSONLine.isBlank(line) else { return }
      do { session.receive(try JSONLine.decode(SinkMessage.self, from: line)) } catch {
        log("a line that is no message was skipped: \(error.message)")
      }
    case .overlong:
      log("a line was skipped, since a line has at most \(JSONLine.limit) bytes")
    }
  }

  private func log(_ message: String) {
    channel.send(.log(SinkReport.Log(level: "warning", message: message)))
  }
}

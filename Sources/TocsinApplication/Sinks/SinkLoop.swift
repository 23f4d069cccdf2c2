import Glibc
import TocsinClient
import TocsinModel
import TocsinTime

/// A sink's thread: takes in what it is to be told, sends what it says, and connects again.
final class SinkLoop {
  /// How long the service may be away before what is shown is withdrawn: nobody could stop it.
  private static let absence = Duration.seconds(5)
  private static let firstPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(5)

  private let line: SinkLine
  private let sink: SinkReport.Ready
  private let connect: @Sendable () throws -> Connection?
  private let into: AsyncStream<SinkLine.Message>.Continuation
  private var connection: Connection?
  private var output = LineOutput()
  /// Tells this connection from those before.
  private var number = 0
  /// Whether the service knows it for a sink.
  private var isReady = false
  private var pause = SinkLoop.firstPause
  private var lostAt: LinkMoment?

  init(
    _ line: SinkLine,
    _ sink: SinkReport.Ready,
    connect: @escaping @Sendable () throws -> Connection?,
    _ into: AsyncStream<SinkLine.Message>.Continuation
  ) {
    self.line = line
    self.sink = sink
    self.connect = connect
    self.into = into
  }

  /// Runs until the line is closed, or there is nothing any more to connect to.
  func run() {
    var retry: LinkMoment? = monotonicNow()
    while !line.isClosed {
      if connection == nil, retry.map({ $0 <= monotonicNow() }) == true {
        do {
          guard let next = try connect() else { break }
          try open(next)
          retry = nil
        } catch {
          lose()
          retry = monotonicNow() + wait()
        }
      }
      if connection != nil {
        do {
          try exchange()
        } catch {
          lose()
          retry = monotonicNow() + wait()
        }
      }
      sleep(until: retry)
    }
    connection?.close()
    into.finish()
  }

  /// How long to wait this time, in microseconds.
  private func wait() -> LinkMoment {
    defer { pause = min(pause * 2, Self.longestPause) }
    return pause.microseconds
  }

  private func open(_ connection: Connection) throws {
    self.connection = connection
    number += 1
    try connection.send(.subscribe)
  }

  /// Takes in all that has come, and sends what there is to send.
  private func exchange() throws {
    while let connection, let incoming = try connection.receive() { try take(incoming) }
    for report in line.take(connection: isReady ? number : nil) { send(report) }
    if let connection { output.write(to: connection.fileDescriptor) }
  }

  private func take(_ incoming: Incoming) throws {
    switch incoming {
    case .reply(.ok) where !isReady:
      isReady = true
      pause = Self.firstPause
      lostAt = nil
      send(.ready(sink))
    case .reply(.error(_, let error)) where !isReady: throw ClientError.service(error)
    case .event(.ping): send(.pong)
    case .event(.bye), .event(.hello), .event(.receipt), .event(.unknown): break
    case .event(let message): tell(message)
    case .reply, .application: break
    }
  }

  private func send(_ report: SinkReport) {
    // A press with a number that is not finite is none.
    if let bytes = try? JSONLine.encode(report) { output.append(bytes) }
  }

  private func tell(_ message: SinkMessage) {
    into.yield(SinkLine.Message(content: message, connection: number))
  }

  /// Lets go of the connection; after a while of absence the sink is to show nothing.
  private func lose() {
    connection?.close()
    connection = nil
    output = LineOutput()
    isReady = false
    let now = monotonicNow()
    let since = lostAt ?? now
    lostAt = since
    if now - since >= Self.absence.microseconds { tell(.sync([])) }
  }

  private func sleep(until retry: LinkMoment?) {
    var entries = [pollfd(fd: line.bell.descriptor, events: Int16(POLLIN), revents: 0)]
    if let connection {
      let events = output.isEmpty ? POLLIN : POLLIN | POLLOUT
      entries.append(pollfd(fd: connection.fileDescriptor, events: Int16(events), revents: 0))
    }
    let left = retry.map { Int32(clamping: max(0, ($0 - monotonicNow() + 999) / 1_000)) }
    guard poll(&entries, nfds_t(entries.count), left ?? -1) > 0 else { return }
    if entries[0].revents != 0 { line.bell.silence() }
  }
}

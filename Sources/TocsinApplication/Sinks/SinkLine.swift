package import TocsinClient
package import TocsinModel
import TocsinService

/// The line of one sink of a program: what is presented in, receipts and presses out.
///
/// It has a connection and a thread of its own, so a sink that is slow or stuck holds up nothing else. When
/// the connection is lost it asks for another, ever more slowly, until it is ended.
package final class SinkLine: @unchecked Sendable {
  // Unchecked is safe because all that changes is touched on the reactor's thread alone.

  /// How long the service may be away before what is shown is withdrawn: nobody could stop it.
  private static let absence = Duration.seconds(5)
  private static let firstPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(5)
  /// How many presses are kept for a service that is away.
  private static let pressLimit = 64

  /// Something the sink is to be told.
  package struct Message: Sendable {
    package var content: SinkMessage
    /// The connection it came from: receipts for it are of no use to another.
    fileprivate var connection: Int
  }

  /// What the sink is to be told, in order; ends with the line.
  package let messages: AsyncStream<Message>

  private let sink: SinkReport.Ready
  private let connect: @Sendable () throws -> Connection
  private let into: AsyncStream<Message>.Continuation
  private let reactor: Reactor
  private let thread: ReactorThread
  private var connection: Connection?
  private var isReady = false
  private var connections = 0
  private var presses: [Intent] = []
  private var pause = SinkLine.firstPause
  private var lostAt: Int64?
  private var hasEnded = false

  /// Starts; messages come as soon as there is a connection.
  ///
  /// - Parameters:
  ///   - sink: what it says of itself.
  ///   - connect: gives a connection that has joined; called on the line's thread, where it may wait.
  /// - Throws: if the system has no descriptor or thread left.
  package init(
    _ sink: SinkReport.Ready,
    connect: @escaping @Sendable () throws -> Connection
  ) throws {
    self.sink = sink
    self.connect = connect
    (messages, into) = AsyncStream.makeStream(of: Message.self)
    let reactor = try Reactor(usesAlarmClocks: false)
    self.reactor = reactor
    thread = try ReactorThread(reactor, name: "sink")
    reactor.post { [self] in open() }
  }

  /// Sends a receipt for a message, from any thread; one that comes after its connection's end is dropped.
  package func send(_ receipt: SinkReport, for message: Message) {
    reactor.post { [self] in
      if message.connection == connections { send(receipt) }
    }
  }

  /// Sends a press, from any thread; it names an occurrence, so it may wait for the next connection.
  package func press(_ intent: Intent) {
    reactor.post { [self] in
      if !send(.intent(intent)), presses.count < Self.pressLimit { presses.append(intent) }
    }
  }

  /// Leaves, and ends `messages` once what came before has been taken; from any thread.
  package func end() {
    reactor.post { [self] in
      guard !hasEnded else { return }
      hasEnded = true
      drop()
      into.finish()
      reactor.stop()
    }
  }

  /// Waits until its thread has ended, which it does soon after `end()`; from any other thread.
  package func join() { thread.join() }

  // MARK: - On the reactor's thread

  private func open() {
    guard !hasEnded, connection == nil else { return }
    do {
      let connection = try connect()
      try connection.send(.subscribe)
      self.connection = connection
      connections += 1
      try reactor.watch(connection.fileDescriptor, .readable) { [self] _ in read() }
      // What came with the answer to joining makes the descriptor readable no more.
      read()
    } catch {
      lose()
    }
  }

  private func read() {
    do {
      while let connection, let incoming = try connection.receive() { take(incoming) }
    } catch {
      lose()
    }
  }

  private func take(_ incoming: Incoming) {
    switch incoming {
    case .reply(.ok) where !isReady:
      isReady = true
      pause = Self.firstPause
      lostAt = nil
      send(.ready(sink))
      presses.removeAll { send(.intent($0)) }
    case .reply(.error) where !isReady, .event(.bye): lose()
    case .event(.ping): send(.pong)
    case .event(.hello), .event(.receipt), .event(.unknown), .reply, .application: break
    case .event(let message): tell(message)
    }
  }

  private func tell(_ message: SinkMessage) {
    into.yield(Message(content: message, connection: connections))
  }

  /// False if there is nobody to send it to.
  @discardableResult
  private func send(_ report: SinkReport) -> Bool {
    guard let connection, isReady else { return false }
    do {
      try connection.report(report)
      return true
    } catch {
      lose()
      return false
    }
  }

  /// Lets go of the connection, and tries again later.
  private func lose() {
    drop()
    guard !hasEnded else { return }
    let now = reactor.now
    let since = lostAt ?? now
    if lostAt != nil, now - since >= Self.absence.microseconds { tell(.sync([])) }
    lostAt = since
    reactor.after(pause) { [self] in open() }
    pause = min(pause * 2, Self.longestPause)
  }

  private func drop() {
    if let connection {
      reactor.unwatch(connection.fileDescriptor)
      connection.close()
    }
    connection = nil
    isReady = false
  }
}

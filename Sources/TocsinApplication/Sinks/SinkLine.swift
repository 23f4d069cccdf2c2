import Synchronization
package import TocsinClient
package import TocsinModel

/// The line of one sink of a program: what is presented in, receipts and presses out.
///
/// It has a connection and a thread of its own, so a sink that is slow or stuck holds up nothing else. When
/// the connection is lost it asks for another, ever more slowly, until it is ended. Safe to be used from any
/// thread.
package final class SinkLine: Sendable {
  /// How many presses are kept for a service that is away.
  private static let pressLimit = 64

  /// Something the sink is to be told.
  package struct Message: Sendable {
    package var content: SinkMessage
    /// The connection it came from: receipts for it are of no use to another.
    var connection: Int
  }

  /// What is on its way out.
  struct Outbox {
    var receipts: [(report: SinkReport, connection: Int)] = []
    var presses: [Intent] = []
    var isClosed = false
  }

  /// What the sink is to be told, in order; ends with the line.
  package let messages: AsyncStream<Message>
  let bell: Bell
  private let outbox = Mutex(Outbox())

  /// Starts; messages come as soon as there is a connection.
  ///
  /// - Parameters:
  ///   - sink: what it says of itself.
  ///   - connect: gives a connection that has joined, nil if there will be none any more; called on the
  ///     line's thread, where it may wait.
  /// - Throws: `ApplicationError.unavailable` if the system has no descriptor or thread left.
  package init(
    _ sink: SinkReport.Ready,
    connect: @escaping @Sendable () throws -> Connection?
  ) throws(ApplicationError) {
    guard let bell = Bell() else {
      throw .unavailable(
        "no descriptor is left for the sink \(sink.name); close what is not needed"
      )
    }
    self.bell = bell
    let (messages, into) = AsyncStream.makeStream(of: Message.self)
    self.messages = messages
    let hasStarted = DetachedThread.start { [self] in
      SinkLoop(self, sink, connect: connect, into).run()
    }
    guard hasStarted else {
      throw .unavailable("no thread is left for the sink \(sink.name); end what is not needed")
    }
  }

  /// Sends a receipt for a message; one that comes after its connection's end is dropped.
  package func send(_ receipt: SinkReport, for message: Message) {
    outbox.withLock { $0.receipts.append((receipt, message.connection)) }
    bell.ring()
  }

  /// Sends a press; it names an occurrence, so it may wait for the next connection.
  package func press(_ intent: Intent) {
    outbox.withLock { outbox in
      if outbox.presses.count < Self.pressLimit { outbox.presses.append(intent) }
    }
    bell.ring()
  }

  /// Leaves, and ends `messages` once those before have been taken.
  package func end() {
    outbox.withLock { $0.isClosed = true }
    bell.ring()
  }

  var isClosed: Bool { outbox.withLock { $0.isClosed } }

  /// All that can be sent now: receipts for this connection, and presses if there is one.
  func take(connection: Int?) -> [SinkReport] {
    outbox.withLock { outbox in
      let receipts = outbox.receipts.filter { $0.connection == connection }.map(\.report)
      outbox.receipts = []
      guard connection != nil else { return [] }
      defer { outbox.presses = [] }
      return receipts + outbox.presses.map { .intent($0) }
    }
  }
}

import Glibc
import TocsinClient

/// A connection to a daemon as part of a loop: messages in, reports out, neither ever waiting.
final class AttachedLink: PollSource {
  /// Where it leads.
  let path: String
  /// The way out.
  let channel: ReportChannel

  private let connection: Connection
  private let onMessage: (Incoming) -> Void
  private let onEnd: (String) -> Void

  /// - Parameters:
  ///   - connection: the connection; closed with `close()`.
  ///   - onMessage: takes what the daemon sends.
  ///   - onEnd: is told once why there will be no more, in a sentence.
  init(
    _ connection: Connection,
    onMessage: @escaping (Incoming) -> Void,
    onEnd: @escaping (String) -> Void
  ) {
    self.connection = connection
    self.onMessage = onMessage
    self.onEnd = onEnd
    path = connection.path
    channel = ReportChannel(connection.fileDescriptor)
  }

  /// Lets go of the connection; nothing is told any more.
  func close() {
    channel.close()
    connection.close()
  }

  func prepare() -> (descriptors: [pollfd], timeout: Duration?) {
    // Nothing is read while reports pile up, as each message makes another.
    var events = channel.isFull ? 0 : Int16(POLLIN)
    if channel.hasPending { events |= Int16(POLLOUT) }
    return ([pollfd(fd: connection.fileDescriptor, events: events, revents: 0)], nil)
  }

  func dispatch(_ descriptors: ArraySlice<pollfd>) {
    guard let ready = descriptors.first?.revents, ready != 0 else { return }
    if Int32(ready) & POLLOUT != 0 { channel.write() }
    if channel.isFull, Int32(ready) & (POLLHUP | POLLERR) != 0 {
      return onEnd("the daemon at \(path) closed the connection while it was sent reports")
    }
    do {
      while !channel.isFull, connection.fileDescriptor >= 0, let message = try connection.receive()
      {
        onMessage(message)
      }
    } catch {
      // One that was closed meanwhile has been told of.
      if connection.fileDescriptor >= 0 { onEnd(error.description) }
    }
  }
}

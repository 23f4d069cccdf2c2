import TocsinModel

/// A long answer that is made line by line as fast as its client reads it.
final class AnswerStream {
  private let reply: WaitingReply
  private var next: (() -> Reply?)?
  private var count = 0

  /// Sends what `next` yields until it yields nothing, and then that the request is done.
  static func send(_ reply: WaitingReply, _ next: @escaping () -> Reply?) {
    let stream = AnswerStream(reply, next)
    reply.client?.send(stream: { stream.line() })
  }

  private init(_ reply: WaitingReply, _ next: @escaping () -> Reply?) {
    self.reply = reply
    self.next = next
  }

  private func line() -> [UInt8]? {
    while let next {
      if let item = next() {
        guard let line = try? JSONLine.encode(item) else { continue }
        count += 1
        return line
      }
      self.next = nil
      reply.client?.end()
      return try? JSONLine.encode(Reply.ok(id: reply.request, Reply.Outcome(count: count)))
    }
    return nil
  }
}

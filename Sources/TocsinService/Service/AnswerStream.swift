import TocsinModel

/// A long answer that is made line by line as fast as its client reads it.
final class AnswerStream {
  private let reply: WaitingReply
  private let warning: String?
  private let next: () -> Reply?
  private var count = 0
  private var isAtEnd = false
  private var isDone = false

  /// Sends what `next` yields until it yields nothing, and then that the request is done.
  static func send(
    _ reply: WaitingReply,
    warning: String? = nil,
    _ next: @escaping () -> Reply?
  ) {
    let stream = AnswerStream(reply, warning, next)
    reply.client?.send(source: { stream.line() })
  }

  private init(_ reply: WaitingReply, _ warning: String?, _ next: @escaping () -> Reply?) {
    self.reply = reply
    self.warning = warning
    self.next = next
  }

  private func line() -> [UInt8]? {
    while !isAtEnd {
      guard let item = next() else {
        isAtEnd = true
        break
      }
      guard let line = try? JSONLine.encode(item) else { continue }
      count += 1
      return line
    }
    guard isDone else {
      isDone = true
      return try? JSONLine.encode(
        Reply.ok(id: reply.request, Reply.Outcome(count: count, warning: warning))
      )
    }
    // Only now that the last line was taken is the request answered.
    reply.client?.end()
    return nil
  }
}

import TocsinModel

/// Who asked for a change, and what will be said once it is on disk.
struct WaitingReply {
  /// The request's identity, which its replies bear.
  var request: String
  weak var client: ControlClient?
  /// The alarm this request would add, if it is accepted.
  var newAlarm: AlarmID?
  var accepted: [AlarmStatus] = []
  var rejected: [ServiceError] = []
  /// The answer's lines, if they were made beforehand.
  fileprivate(set) var lines: [UInt8]?

  init(_ request: String, _ client: ControlClient) {
    self.request = request
    self.client = client
  }

  /// Makes the answer for the case that all goes well, if it is a short one.
  mutating func prepare() {
    guard rejected.isEmpty, let status = accepted.first, accepted.count == 1,
      let alarm = try? JSONLine.encode(Reply.alarm(id: request, status)),
      let ok = try? JSONLine.encode(Reply.ok(id: request, Reply.Outcome(count: 1)))
    else { return }
    lines = alarm + ok
  }

  /// The alarm that must not turn up later if the disk refuses it now.
  var acceptedAlarm: AlarmID? {
    newAlarm.flatMap { id in accepted.contains { $0.alarm.id == id } ? id : nil }
  }
}

extension AlarmService {
  /// Says what became of a request.
  func answer(_ reply: WaitingReply) {
    guard let client = reply.client else { return }
    if let error = reply.rejected.first, reply.accepted.isEmpty || error.code == .storage {
      if let line = try? JSONLine.encode(Reply.error(id: reply.request, error)) {
        client.send(afterChanges: line)
      }
      return client.end()
    }
    if let lines = reply.lines {
      client.send(afterChanges: lines)
      return client.end()
    }
    let warning =
      reply.rejected.isEmpty ? nil : reply.rejected.map(\.message).joined(separator: "; ")
    // Thousands may have been meant, which is more than a client may let pile up.
    var rest = reply.accepted[...]
    AnswerStream.send(reply, warning: warning) {
      rest.popFirst().map { .alarm(id: reply.request, $0) }
    }
  }

  /// Says that a request is done.
  func finish(_ reply: WaitingReply, _ outcome: Reply.Outcome) {
    guard let client = reply.client else { return }
    send(.ok(id: reply.request, outcome), to: client)
    client.end()
  }

  /// Refuses a request.
  func refuse(_ reply: WaitingReply, _ error: ServiceError) {
    var reply = reply
    (reply.accepted, reply.lines) = ([], nil)
    reply.rejected = [error]
    answer(reply)
  }

  func send(_ reply: Reply, to client: ControlClient) {
    guard let line = try? JSONLine.encode(reply) else { return }
    client.send(line)
  }
}

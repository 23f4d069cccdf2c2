import TocsinModel

/// Who asked for a change, and what will be said once it is on disk.
struct WaitingReply {
  /// The request's identity, which its replies bear.
  var request: String
  weak var client: ControlClient?
  /// The alarm that is accepted by this request, if it is a new one.
  var newAlarm: AlarmID?
  /// Whether several alarms were meant, so that having changed some is success.
  var isForSeveral = false
  var accepted: [AlarmStatus] = []
  var rejected: [ServiceError] = []

  init(_ request: String, _ client: ControlClient) {
    self.request = request
    self.client = client
  }
}

extension AlarmService {
  /// Says what became of a request.
  func answer(_ reply: WaitingReply) {
    guard let client = reply.client else { return }
    client.end()
    if let error = reply.rejected.first, reply.accepted.isEmpty || error.code == .storage {
      return send(.error(id: reply.request, error), to: client)
    }
    for status in reply.accepted { send(.alarm(id: reply.request, status), to: client) }
    let warning =
      reply.rejected.isEmpty ? nil : reply.rejected.map(\.message).joined(separator: "; ")
    send(
      .ok(id: reply.request, Reply.Outcome(count: reply.accepted.count, warning: warning)),
      to: client
    )
  }

  func send(_ reply: Reply, to client: ControlClient) {
    guard let line = try? JSONLine.encode(reply) else { return }
    client.send(line)
  }
}

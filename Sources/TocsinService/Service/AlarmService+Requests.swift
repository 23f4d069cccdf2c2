import TocsinEngine
import TocsinModel
import TocsinTime

extension AlarmService {
  /// Takes one line of a client, or what is left of it.
  func receive(_ piece: RequestBuffer.Piece, from client: ControlClient) {
    guard case .line(let line) = piece else {
      return send(
        .error(
          id: "",
          ServiceError(.tooLarge, "the line is longer than \(JSONLine.limit / 1024) KiB")
        ),
        to: client
      )
    }
    let request: Request
    do throws(ServiceError) {
      request = try JSONLine.decode(Request.self, from: line)
    } catch {
      if error.code == .unknownRequest,
        let report = try? JSONLine.decode(SinkReport.self, from: line), !report.isUnknown
      {
        return receive(report, from: client)
      }
      let id = (try? JSONLine.decode(RequestID.self, from: line))?.id ?? ""
      return send(.error(id: id, error), to: client)
    }
    client.begin()
    perform(request, for: client)
  }

  private func perform(_ request: Request, for client: ControlClient) {
    var reply = WaitingReply(request.id, client)
    switch request.body {
    case .schedule(let alarm):
      if table.alarm(alarm.id) == nil { reply.newAlarm = alarm.id }
      run(.schedule(alarm, source: client.name), for: reply)
    case .update(let alarm):
      run(.update(alarm, source: client.name), for: reply)
    case .intent(let intent):
      run(.intent(intent, source: client.name), for: reply)
    case .list(let filter): list(filter, reply)
    case .show(let name):
      switch table.status(named: name) {
      case .success(let status): reply.accepted = [status]
      case .failure(let error): reply.rejected = [error]
      }
      answer(reply)
    case .next:
      reply.accepted = table.next.map { [$0] } ?? []
      answer(reply)
    case .history(let filter): history(filter, reply)
    case .sinks:
      for status in sinkStatuses { send(.sink(id: request.id, status), to: client) }
      finish(reply, Reply.Outcome(count: sinkStatuses.count))
    case .subscribe:
      finish(reply, Reply.Outcome())
      subscribe(client)
    case .reload: reload(reply)
    case .status: finish(reply, Reply.Outcome(status: serviceStatus))
    case .backup(let path): backup(path, reply)
    }
    prune()
  }

  private func finish(_ reply: WaitingReply, _ outcome: Reply.Outcome) {
    guard let client = reply.client else { return }
    client.end()
    send(.ok(id: reply.request, outcome), to: client)
  }

  /// Sends all alarms as fast as the client reads; one that changes meanwhile is sent as it then is.
  private func list(_ filter: Request.ListFilter, _ reply: WaitingReply) {
    var rest = table.identities(filter)[...]
    AnswerStream.send(reply) { [self] in
      while let id = rest.popFirst() {
        let status = assumeIsolated { $0.table.status(id) }
        if let status { return .alarm(id: reply.request, status) }
      }
      return nil
    }
  }

  private func history(_ filter: Request.HistoryFilter, _ reply: WaitingReply) {
    lastWaiting += 1
    let id = lastWaiting
    waiting[id] = reply
    store.history(filter) { [self] result in
      reactor.post { self.assumeIsolated { $0.answer(id, result) } }
    }
  }

  private func answer(_ id: UInt64, _ result: Result<[HistoryEntry], StoreError>) {
    guard var reply = waiting.removeValue(forKey: id) else { return }
    switch result {
    case .failure(let error):
      reply.rejected = [ServiceError(.storage, "\(error)")]
      answer(reply)
    case .success(let entries):
      var rest = entries[...]
      AnswerStream.send(reply) { rest.popFirst().map { .entry(id: reply.request, $0) } }
    }
  }

  private func backup(_ path: String, _ reply: WaitingReply) {
    guard path.hasPrefix("/") else {
      var reply = reply
      reply.rejected = [ServiceError(.invalid, "a backup needs an absolute path, not \(path)")]
      return answer(reply)
    }
    lastWaiting += 1
    let id = lastWaiting
    waiting[id] = reply
    store.backup(to: path) { [self] error in
      reactor.post { self.assumeIsolated { $0.backedUp(id, error) } }
    }
  }

  private func backedUp(_ id: UInt64, _ error: StoreError?) {
    guard var reply = waiting.removeValue(forKey: id) else { return }
    if let error {
      reply.rejected = [ServiceError(.storage, "\(error)")]
      answer(reply)
    } else {
      finish(reply, Reply.Outcome(count: table.count))
    }
  }

  private func reload(_ reply: WaitingReply) {
    var reply = reply
    do throws(ConfigurationError) {
      try reload()
      finish(reply, Reply.Outcome())
    } catch {
      reply.rejected = [ServiceError(.config, "\(error)")]
      answer(reply)
    }
  }
}

/// The only part of a broken request that its answer needs.
private struct RequestID: Decodable {
  var id: String
}

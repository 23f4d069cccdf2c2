import Glibc
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
      return receive(unreadable: line, error, from: client)
    }
    client.begin()
    perform(request, for: client)
  }

  /// Takes a line that is no request: a report of a client that presents, or a mistake.
  private func receive(
    unreadable line: ArraySlice<UInt8>,
    _ error: ServiceError,
    from client: ControlClient
  ) {
    var error = error
    if error.code == .unknownRequest {
      do throws(ServiceError) {
        let report = try JSONLine.decode(SinkReport.self, from: line)
        if !report.isUnknown { return receive(report, from: client) }
      } catch let flaw {
        error = flaw
      }
    }
    let id = (try? JSONLine.decode(RequestID.self, from: line))?.id ?? ""
    send(.error(id: id, error), to: client)
  }

  private func perform(_ request: Request, for client: ControlClient) {
    var reply = WaitingReply(request.id, client)
    guard !isStopping else {
      return refuse(reply, ServiceError(.busy, "the daemon is ending: try again"))
    }
    let body: Request.Body
    do throws(ServiceError) {
      body = try scoped(request.body, for: client)
    } catch {
      return refuse(reply, error)
    }
    switch body {
    case .schedule(let alarm):
      if !table.contains(alarm.id) { reply.newAlarm = alarm.id }
      run(.schedule(alarm, source: client.source), for: reply)
    case .update(let alarm):
      run(.update(alarm, source: client.source), for: reply)
    case .intent(let intent):
      let application = client.membership?.application
      run(.intent(intent, source: client.source, application: application), for: reply)
    case .list(let filter): list(filter, reply)
    case .show(let name):
      switch table.status(named: name) {
      case .success(let status): reply.accepted = [withReceipts(status)]
      case .failure(let error): reply.rejected = [error]
      }
      answer(reply)
    case .next:
      reply.accepted = table.next(of: client.membership?.application).map { [$0] } ?? []
      answer(reply)
    case .history(let filter): history(filter, reply)
    case .sinks:
      let statuses = sinkStatuses
      for status in statuses { send(.sink(id: request.id, status), to: client) }
      finish(reply, Reply.Outcome(count: statuses.count))
    case .subscribe:
      // First, or the end of its requests would be taken for the end of its interest.
      client.isSubscribed = true
      finish(reply, Reply.Outcome())
      sync(client)
    case .reload: reload(reply)
    case .status:
      readClockTrust()
      finish(reply, Reply.Outcome(status: serviceStatus(for: client.membership?.application)))
    case .backup(let path): backup(path, reply)
    case .sink(let name, let isEnabled): setSink(name, isEnabled, reply)
    case .route(let question): answer(question, reply)
    case .silence(let match, let seconds): silence(match, seconds, reply)
    case .silences: list(router.standing, reply)
    case .unsilence(let number): unsilence(number, reply)
    case .performed(let number, let failure): performed(number, failure, reply)
    case .join(let join): self.join(join, client, reply)
    case .authorize: authorize(client, reply)
    }
  }

  /// Sends all alarms as fast as the client reads; one that changes meanwhile is sent as it then is.
  private func list(_ filter: Request.ListFilter, _ reply: WaitingReply) {
    // Looked up when it is this answer's turn, so that many lists at once cost the memory of one.
    var rest: ArraySlice<AlarmID>?
    AnswerStream.send(reply) { [self] in
      var ids = rest ?? assumeIsolated { $0.table.identities(filter) }[...]
      defer { rest = ids }
      while let id = ids.popFirst() {
        let status = assumeIsolated { $0.table.status(id).map($0.withReceipts) }
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
    guard let reply = waiting.removeValue(forKey: id) else { return }
    switch result {
    case .failure(let error): refuse(reply, ServiceError(.storage, "\(error)"))
    case .success(let entries):
      var rest = entries[...]
      AnswerStream.send(reply) { rest.popFirst().map { .entry(id: reply.request, $0) } }
    }
  }

  private func backup(_ path: String, _ reply: WaitingReply) {
    // The file is written with the daemon's rights, which members of the group have not.
    guard reply.client?.peer.isOwner() ?? false else {
      let message = "only user \(geteuid()), whose daemon this is, may say where a backup goes"
      return refuse(reply, ServiceError(.permission, message))
    }
    guard path.hasPrefix("/") else {
      return refuse(
        reply,
        ServiceError(.invalid, "a backup needs an absolute path, not \(path)")
      )
    }
    lastWaiting += 1
    let id = lastWaiting
    waiting[id] = reply
    store.backup(to: path) { [self] error in
      reactor.post { self.assumeIsolated { $0.backedUp(id, error) } }
    }
  }

  private func backedUp(_ id: UInt64, _ error: StoreError?) {
    guard let reply = waiting.removeValue(forKey: id) else { return }
    if let error { return refuse(reply, ServiceError(.storage, "\(error)")) }
    finish(reply, Reply.Outcome(count: table.count))
  }

  private func reload(_ reply: WaitingReply) {
    do throws(ConfigurationError) {
      try reload()
      finish(reply, Reply.Outcome())
    } catch {
      refuse(reply, ServiceError(.config, "\(error)"))
    }
  }
}

/// The only part of a broken request that its answer needs.
private struct RequestID: Decodable {
  var id: String
}

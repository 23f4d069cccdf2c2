import TocsinModel

/// How programs learn of each change to their alarms.
extension AlarmService {
  /// Tells programs what the event that was just handled has changed, each alarm as it now is.
  func tellFollowers() {
    let news = followers.takeNews()
    guard !news.isEmpty, let control else { return }
    let byProgram = Dictionary(grouping: news, by: \.application)
    for (application, all) in byProgram {
      let told = all.filter { followers.settle($0, isThere: table.contains($0.alarm)) }
      let clients = followers.clients(of: application).compactMap { control.clients[$0] }
      tell(clients, of: told.map(\.alarm))
    }
  }

  /// Tells of as many alarms as a client may be sent without reading; of more as fast as it reads.
  private func tell(_ clients: [ControlClient], of alarms: [AlarmID]) {
    var room = options.limits.output / 4
    var rest = alarms[...]
    while room > 0, let alarm = rest.popFirst() {
      let line = changeLine(alarm)
      room -= line.count
      for client in clients { client.send(change: alarm, line) }
    }
    guard !rest.isEmpty else { return }
    for client in clients { postpone(rest, for: client) }
  }

  private func postpone(_ alarms: ArraySlice<AlarmID>, for client: ControlClient) {
    if let changes = client.changes { return changes.add(alarms) }
    let changes = ChangeBacklog()
    changes.add(alarms)
    client.changes = changes
    client.send(source: { [self, weak client] in
      if let alarm = changes.next() { return assumeIsolated { $0.changeLine(alarm) } }
      client?.changes = nil
      return nil
    })
  }

  private func changeLine(_ alarm: AlarmID) -> [UInt8] {
    let message =
      table.status(alarm).map { ApplicationMessage.changed(withReceipts($0)) } ?? .removed(alarm)
    return (try? JSONLine.encode(message)) ?? []
  }
}

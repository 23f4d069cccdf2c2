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
      let receipts = told.filter(\.isReceipt).map(\.alarm)
      tell(clients, of: told.filter { !$0.isReceipt }.map(\.alarm))
      // Where many alarms ring at many sinks there are more of these than anybody reads in time.
      for client in clients where client.isBehind { postpone(receipts[...], for: client) }
      tell(clients.filter { !$0.isBehind }, of: receipts)
    }
  }

  /// Tells of as many alarms as a client may be sent without reading; of more as fast as it reads.
  private func tell(_ clients: [ControlClient], of alarms: [AlarmID]) {
    guard !clients.isEmpty else { return }
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
    guard !alarms.isEmpty else { return }
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

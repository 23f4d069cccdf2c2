import TocsinEngine
import TocsinModel
import TocsinTime

/// The intents of programs, from the answer that calls for one until it has run.
extension AlarmService {
  /// A person's answer calls for an intent: it is stored with what the answer changed.
  func owe(
    _ intent: PendingIntent,
    _ title: String,
    _ moment: Now,
    _ changes: inout [StoreChange]
  ) {
    guard let owed = intents.add(intent, title: title, now: moment.wall) else { return }
    changes.append(.owe(owed))
    let excess = intents.dropExcess()
    changes += excess.map { .pay($0.number) }
    logDropped(excess, "more wait than are kept")
  }

  /// Hands new intents over once the disk has them, or has failed to take them.
  func handOverWhenStored() {
    guard let last = intents.lastUnstored else { return }
    // A job behind all that is queued.
    store.retry { [self] _ in
      reactor.post { self.assumeIsolated { $0.deliver($0.intents.stored(upTo: last)) } }
    }
  }

  /// A program has joined and runs intents: hands it those that wait.
  func offerIntents(to client: ControlClient) {
    guard let application = client.membership?.application else { return }
    deliver(intents.join(client.id, application))
  }

  /// A client is gone: what it was handed and has not run is handed to another.
  func takeIntentsBack(from client: ControlClient) {
    deliver(intents.leave(client.id))
  }

  /// A program says that an intent has run.
  func performed(_ number: UInt64, _ failure: String?, _ reply: WaitingReply) {
    guard let application = reply.client?.membership?.application else {
      return refuse(reply, .noSuchIntent(number))
    }
    switch intents.pay(number, by: application) {
    case .unknown: refuse(reply, .noSuchIntent(number))
    case .again: finish(reply, Reply.Outcome())
    case .paid(let owed):
      let entry = HistoryEntry(
        at: now.wall,
        alarm: owed.intent.alarm,
        occurrence: owed.intent.occurrence,
        application: application,
        title: owed.title,
        event: .performed,
        source: application,
        detail: failure.map { String($0.prefix(1_000)) }
      )
      noteChange()
      commit([.pay(number), .record(entry)], for: reply)
    }
  }

  /// Gives up intents that no program came for since before an instant.
  func dropIntents(from instant: Instant) {
    let old = intents.drop(before: instant)
    guard !old.isEmpty else { return }
    commit(old.map { .pay($0.number) })
    logDropped(old, "no program came for them in time")
  }

  private func logDropped(_ dropped: [PendingIntent], _ reason: String) {
    let byProgram = Dictionary(grouping: dropped, by: \.application)
    for (application, all) in byProgram.sorted(by: { $0.key < $1.key }) {
      let which = all.count == 1 ? "an intent" : "\(all.count) intents"
      options.log(.warning, "\(which) of \(application) will not be run: \(reason)")
    }
  }

  private func deliver(_ deliveries: [IntentQueue.Delivery]) {
    guard !isStopping else { return }
    for (id, all) in Dictionary(grouping: deliveries, by: \.client) {
      var rest = all[...]
      // As fast as it reads: after a long absence there may be thousands.
      control?.clients[id]?.send(source: {
        while let next = rest.popFirst() {
          let message = ApplicationMessage.perform(next.intent)
          if let line = try? JSONLine.encode(message) { return line }
        }
        return nil
      })
    }
  }
}

extension ServiceError {
  fileprivate static func noSuchIntent(_ number: UInt64) -> ServiceError {
    ServiceError(.notFound, "no intent \(number) waits for this program")
  }
}

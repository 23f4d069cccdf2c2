/// One connection of one sink to a router: makes the sink, passes messages on, and ends it.
///
/// The same for a process, an embedding program and a test; it does no I/O. Used by one thread.
final class SinkSession<S: Sink> {
  /// What the session has come to.
  enum Outcome: Equatable {
    /// It waits for `hello` or passes messages on.
    case running
    /// It ended as it should.
    case ended
    /// The settings are wrong.
    case misconfigured
    /// The sink can never work here.
    case unavailable
  }

  private(set) var outcome = Outcome.running
  private(set) var sink: S?
  private(set) var host: SinkHost?
  private var parts: PartFilter?

  private let clock: any SinkClock
  private let loop: PollLoop
  private let make: (SinkSettings, SinkHost) throws -> S
  private let report: (SinkReport) -> Void

  init(
    clock: any SinkClock,
    loop: PollLoop,
    make: @escaping (SinkSettings, SinkHost) throws -> S,
    report: @escaping (SinkReport) -> Void
  ) {
    self.clock = clock
    self.loop = loop
    self.make = make
    self.report = report
  }

  /// Takes a message of the router.
  func receive(_ message: SinkMessage) {
    guard outcome == .running else { return }
    switch message {
    case .ping: report(.pong)
    case .bye: end()
    case .receipt, .unknown: break
    case .hello(let hello): start(name: hello.sink, settings: hello.settings)
    case .sync, .present, .cleared, .missed, .secondary, .notice: pass(message)
    }
  }

  /// Makes the sink; a second `hello` is answered with a line in the log.
  func start(name: String, settings: [String: String]) {
    guard sink == nil else { return log(.warning, "a second hello was ignored") }
    let parts = PartFilter(sink: name)
    let host = SinkHost(name: name, clock: clock, loop: loop) { [report] in
      report(parts.amended($0))
    }
    let settings = SinkSettings(sink: name, settings)
    do {
      let sink = try make(settings, host)
      self.sink = sink
      self.host = host
      self.parts = parts
      try settings.finish()
      let ready = sink.descriptor.ready
      parts.names = Set(ready.parts?.map(\.name) ?? [])
      report(.ready(ready))
    } catch let error as SettingsError {
      for line in error.lines { log(.error, line) }
      abandon(.misconfigured)
    } catch {
      log(.error, "\(name) cannot start: \(error)")
      abandon(.unavailable)
    }
  }

  /// Withdraws everything and ends the sink; nothing happens the second time.
  func end() {
    guard outcome == .running else { return }
    outcome = .ended
    if let sink, let host {
      // Empty first: a sink that shows one of several must not turn to the next one now.
      let shown = host.presentations
      host.presentations = []
      for presentation in shown { sink.clear(Withdrawal(of: presentation)) }
      sink.end()
    }
    loop.removeAll()
  }

  private func abandon(_ outcome: Outcome) {
    sink?.end()
    sink = nil
    loop.removeAll()
    self.outcome = outcome
  }

  private func pass(_ message: SinkMessage) {
    guard let sink, let host, let parts else {
      return log(.warning, "a message that came before hello was ignored")
    }
    switch message {
    case .sync(let presentations):
      let shown = host.presentations
      host.presentations = presentations.compactMap(parts.admitted)
      sink.sync(host.presentations, replacing: shown)
      for presentation in presentations { refuse(presentation, parts) }
    case .present(let whole):
      guard let presentation = parts.admitted(whole) else {
        withdraw(whole.occurrence, sink, host)
        refuse(whole, parts)
        break
      }
      let index = host.presentations.firstIndex { $0.occurrence == presentation.occurrence }
      if let index {
        host.presentations[index] = presentation
      } else {
        host.presentations.append(presentation)
      }
      host.attempt(presentation.seq) { try sink.present(presentation) }
    case .cleared(let cleared):
      host.presentations.removeAll { $0.occurrence == cleared.occurrence }
      sink.clear(Withdrawal(cleared))
    case .missed(let missed):
      host.attempt(missed.seq) { try sink.missed(missed) }
    case .notice(let notice):
      host.attempt(notice.seq) { try sink.notice(notice) }
    case .secondary(let secondary):
      sink.secondary(secondary)
    case .receipt, .hello, .ping, .bye, .unknown:
      break
    }
    host.pruneReceipts()
    parts.prune(to: host.presentations)
  }

  /// Lets the sink present no more of an occurrence, which no event has ended.
  private func withdraw(_ occurrence: OccurrenceID, _ sink: S, _ host: SinkHost) {
    guard let index = host.presentations.firstIndex(where: { $0.occurrence == occurrence }) else {
      return
    }
    sink.clear(Withdrawal(of: host.presentations.remove(at: index)))
  }

  /// Answers an event of which the sink is not told at all.
  private func refuse(_ presentation: Presentation, _ parts: PartFilter) {
    guard let reason = parts.refusal(of: presentation) else { return }
    let failed = SinkReport.Failed(seq: presentation.seq, reason: reason, retry: false)
    report(.failed(failed))
  }

  private func log(_ level: SinkHost.LogLevel, _ message: String) {
    report(.log(SinkReport.Log(level: level.rawValue, message: message)))
  }
}

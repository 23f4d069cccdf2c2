package import TocsinModel
import TocsinTime

/// Who presents what: routes, receipts, fallback and escalation, without a clock or a process in it.
///
/// It knows what each sink was asked and what came of it; `handle(event, now)` says what to send. One
/// deadline covers all of it, and there is none while nothing rings and no silence stands. Presentations
/// are the table's: the router keeps only where they went.
package struct Router: Sendable {
  var routes = Routes()
  var sinks: [SinkID: KnownSink] = [:]
  /// All sinks in the order in which they came.
  var order: [SinkID] = []
  /// Whether any of them wants only some events, or only a program's.
  var isChoosy = false
  /// Whose what is presented is, where it is a program's.
  var owners: [OccurrenceID: String] = [:]
  /// What rings, in no particular order.
  var rings: [Ring] = []
  /// Where each of them is in `rings`, and under which numbers it was sent.
  var places: [OccurrenceID: Int] = [:]
  var numbers: [UInt64: OccurrenceID] = [:]
  /// Where a countdown went; what is not in here went to every sink as it is.
  var shown: [OccurrenceID: [SinkID: Share]] = [:]
  /// The countdowns that went to every sink, kept while there are routes that may take the next state
  /// elsewhere.
  var shownByAll: Set<OccurrenceID> = []
  /// How long an alarm that snoozed itself has rung unanswered before.
  var unanswered: [OccurrenceID: Int64] = [:]
  var silences: [Standing] = []
  /// How many of what rings may be held back by others.
  var inhibitable = 0
  /// Until when sinks may still be starting without blame.
  var gatherUntil: BootTime?
  var effects: [RouterEffect] = []
  /// The first moment at which something may be due; later ones are found then.
  var earliest: BootTime?
  private var lastSilence = 0

  /// A silence that stands.
  struct Standing: Sendable {
    var silence: Silence
    var match: RouteMatch
    var end: BootTime
  }

  /// The times that are rules, in microseconds.
  package enum Rule {
    /// How long after the last step a ring that nobody confirmed is reported.
    package static let report: Int64 = 5_000_000
    /// How long a client that joined may take to confirm an alert.
    package static let clientTimeout: Duration = .seconds(5)
    /// How long sinks have after start until their silence counts.
    package static let gather: Duration = .seconds(5)
    /// How many silences may stand.
    package static let silences = 100
  }

  package init(routes: [Route] = []) {
    self.routes = Routes(routes)
  }

  /// When to call again with `tick`; nil if nothing is due.
  package var deadline: BootTime? { earliest }

  /// Takes one event in and says what to do, in order; the table gives the presentations, and the
  /// numbers of events that are sent again.
  package mutating func handle(
    _ event: RouterEvent,
    now: Now,
    table: inout AlarmTable
  ) -> [RouterEffect] {
    switch event {
    case .present(let presentation): present(presentation, now, &table)
    case .clear(let cleared): clear(cleared, now, &table)
    case .miss(let missed, let subject): tell(.missed(missed), subject, now, table)
    case .secondary(let secondary, let subject): tell(.secondary(secondary), subject, now, table)
    case .sink(let id, let condition, let timeout, let scope):
      meet(id, condition, timeout, scope, now, &table)
    case .gone(let id): lose(id, now, &table)
    case .presented(let seq, let id): answer(seq, id, .presented, nil, now, &table)
    case .failed(let seq, let id, let reason): answer(seq, id, .failed, reason, now, &table)
    case .gather(let duration): gather(duration, now)
    case .adopt(let routes): adopt(routes, table)
    case .silence(let match, let duration, let source):
      add(match, duration, source, now, &table)
    case .unsilence(let number): end(number, now, &table)
    case .tick: break
    }
    processDue(now, &table)
    defer { effects = [] }
    return effects
  }

  /// Whether a new state goes to every sink as it is: no route, no silence, no sink that chooses, and
  /// no alert that went elsewhere by routes of before.
  ///
  /// Then it may be sent before it is handed to `handle`, which asks for nothing else.
  package func goesToAll(_ presentation: Presentation) -> Bool {
    routes.all.isEmpty && silences.isEmpty && !isChoosy
      && (presentation.state != .alerting || places[presentation.occurrence] == nil)
  }

  /// What a sink is to present of all that is presented, as it was or will be sent.
  package func view(of id: SinkID, _ presentations: [Presentation]) -> [Presentation] {
    var presentations = presentations
    if let scope = sinks[id]?.scope {
      presentations.removeAll { $0.sharedOptions.application != scope }
    }
    guard !rings.isEmpty || !shown.isEmpty else { return presentations }
    return presentations.compactMap { presentation in
      if let place = places[presentation.occurrence] {
        return rings[place].deliveries.first { $0.sink == id }
          .map { $0.share.of(presentation, seq: $0.seq) }
      }
      guard let shares = shown[presentation.occurrence] else { return presentation }
      return shares[id].map { $0.of(presentation, seq: presentation.seq) }
    }
  }

  /// What became of an alert at each sink that was asked; nil if it does not ring.
  package func receipts(of occurrence: OccurrenceID) -> [AlertReceipt]? {
    places[occurrence].map { rings[$0].deliveries.map(\.receipt) }
  }

  /// The program that something presented belongs to; nil if it is a person's own, or over.
  package func owner(of occurrence: OccurrenceID) -> String? { owners[occurrence] }

  /// The same by the number of an event that an alert was sent under.
  package func owner(of seq: UInt64) -> String? { numbers[seq].flatMap { owners[$0] } }

  /// How many alarms ring that nobody has confirmed, for so long that it was reported.
  package var unheardCount: Int { rings.count { $0.isReported } }

  /// Why they do, in words for a person and without titles.
  package var unheard: [String] { rings.filter(\.isReported).map(\.troubles) }

  /// The silences that stand, the first to end first.
  package var standing: [Silence] {
    silences.sorted { ($0.end, $0.silence.number) < ($1.end, $1.silence.number) }.map(\.silence)
  }

  private mutating func adopt(_ routes: [Route], _ table: AlarmTable) {
    self.routes = Routes(routes)
    shownByAll = []
    guard !routes.isEmpty else { return }
    for presentation in table.presentations where presentation.state != .alerting {
      if shown[presentation.occurrence] == nil { shownByAll.insert(presentation.occurrence) }
    }
  }

  // MARK: - Silences

  private mutating func add(
    _ match: RouteMatch,
    _ duration: Duration,
    _ source: String,
    _ now: Now,
    _ table: inout AlarmTable
  ) {
    guard silences.count < Rule.silences else { return }
    lastSilence += 1
    let silence = Silence(
      number: lastSilence,
      match: match.description,
      since: now.wall,
      until: now.wall + duration,
      source: source
    )
    let end = now.boot + duration.microseconds
    silences.append(Standing(silence: silence, match: match, end: end))
    wake(at: end)
    reconsider(now, &table)
  }

  private mutating func end(_ number: Int?, _ now: Now, _ table: inout AlarmTable) {
    silences.removeAll { number == nil || $0.silence.number == number }
    reconsider(now, &table)
    restIfIdle()
  }

  /// Ends the silences whose time has come, and says so.
  private mutating func endSilences(_ now: Now, _ table: inout AlarmTable) {
    let over = silences.filter { $0.end <= now.boot }
    guard !over.isEmpty else { return }
    silences.removeAll { $0.end <= now.boot }
    for standing in over {
      effects.append(.log(.info, "the silence of \(standing.silence.match) is over"))
      let text = "The silence of \(standing.silence.match) is over"
      announce(SinkMessage.Notice(seq: table.takeNumber(), level: .info, text: text))
    }
    reconsider(now, &table)
  }

  // MARK: - Time

  /// Notes that something is due then.
  mutating func wake(at time: BootTime) {
    earliest = earliest.map { min($0, time) } ?? time
  }

  /// Nothing is due where nothing is under way.
  mutating func restIfIdle() {
    if rings.isEmpty, silences.isEmpty, gatherUntil == nil { earliest = nil }
  }

  private mutating func processDue(_ now: Now, _ table: inout AlarmTable) {
    guard let earliest, earliest <= now.boot else { return }
    if let end = gatherUntil, end <= now.boot { endGathering(now) }
    endSilences(now, &table)
    for index in rings.indices { advance(index, now, &table) }
    self.earliest = ([gatherUntil] + silences.map(\.end) + rings.map { $0.deadline })
      .compactMap(\.self).min()
  }

  /// Hands a notice to every sink and everybody who watches; a program's sink gets those about the
  /// program's alarms.
  mutating func announce(_ notice: SinkMessage.Notice) {
    let all = everybody(of: notice.occurrence.flatMap { owners[$0] })
    effects += [.send(.notice(notice), to: all), .publish(.notice(notice))]
  }
}

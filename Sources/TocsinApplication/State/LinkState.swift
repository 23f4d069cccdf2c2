import TocsinModel
import TocsinTime

/// Every decision about a program's line to its alarms; no socket, no thread, no clock.
///
/// A connection begins with `join`, then `list` and `status`; only then are the program's own requests sent,
/// so that a request that is repeated meets a mirror that is right.
struct LinkState {
  /// Where the program's alarms may be.
  enum Place: Hashable, Sendable {
    /// With whoever answers at a socket, else in this process.
    case automatic
    /// With whoever answers at a socket.
    case socket
    /// In this process.
    case own
  }

  /// How far it is.
  enum Phase: Hashable, Sendable {
    /// Nobody has asked for anything yet, or what was asked has failed.
    case idle
    /// A service is being looked for.
    case reaching(LinkWay)
    /// The name was said.
    case joining
    /// The alarms are being asked for.
    case loading
    case ready
    /// Nobody answers; it tries again then.
    case pausing(until: LinkMoment)
    case closed
  }

  /// What a request on this connection is for.
  enum Purpose: Hashable, Sendable {
    case call(Int)
    case join
    case list
    case status
    case performed(UInt64)
  }

  let application: String
  let place: Place
  var phase = Phase.idle
  var mirror = AlarmMirror()
  /// Whether the alarms are known, or were before the connection was lost.
  var isKnown = false
  /// Whether the program may set alarms, once it was told.
  var access: Access?
  var calls = LinkCalls()
  var intents = IntentLedger()
  var performs = false
  var effects: [LinkEffect] = []

  /// What is under way on this connection.
  var requests: [String: Purpose] = [:]
  var lastRequest = 0
  var loading = AlarmLoading()
  var openLoads = 0
  /// Whether this connection said that it runs intents.
  var hasSaidPerforms = false

  var way = LinkWay.socket
  /// Whether a daemon was joined: its place is never taken.
  var hasDaemon = false
  var pace = ReconnectPace()
  /// When a service was last looked for.
  var lastTry: LinkMoment?
  /// Since when the connection serves.
  var readySince: LinkMoment?
  /// Why there is no connection.
  var obstacle: String?
  var alarmReaders: Set<Int> = []
  var accessReaders: Set<Int> = []

  init(application: String, place: Place) {
    self.application = application
    self.place = place
    way = place == .own ? .own : .socket
  }

  /// When `time` is to be told next; nil if nothing is ever due.
  var deadline: LinkMoment? {
    guard case .pausing(let until) = phase else { return calls.deadline }
    return min(until, calls.deadline ?? until)
  }

  /// Takes an event, and says what is to be done, in order.
  mutating func handle(_ event: LinkEvent, now: LinkMoment) -> [LinkEffect] {
    guard phase != .closed else { return afterTheEnd(event) }
    switch event {
    case .asked(let call, let body, let limit):
      calls.add(call, body, within: limit, now: now)
      wake(now)
      pump()
    case .reads(let reader, let what):
      admit(reader, what)
      wake(now)
    case .readNoMore(let reader):
      alarmReaders.remove(reader)
      accessReaders.remove(reader)
    case .performs:
      performs = true
      wake(now)
      sayPerforms()
    case .ran(let number, let failure): ran(number, failure)
    case .reached(let way): join(way)
    case .unreachable(let obstacle): miss(obstacle, now)
    case .lost(let reason): lose(reason, now)
    case .reply(let reply): receive(reply, now)
    case .message(let message): receive(message)
    case .unsendable(let request, let error): fail(request, error, now)
    case .time: expire(now)
    case .closed: close()
    }
    defer { effects = [] }
    return effects
  }

  /// A caller waits no longer.
  ///
  /// - Returns: what to tell it; nil if it has its answer already.
  mutating func abandon(_ call: Int, after limit: Duration) -> ApplicationError? {
    guard let abandoned = calls.remove(call) else { return nil }
    return failure(of: abandoned, after: limit)
  }

  // MARK: - What is waited for

  private mutating func expire(_ now: LinkMoment) {
    for call in calls.takeExpired(now) {
      finish(call, .failure(failure(of: call, after: call.limit ?? .zero)))
    }
    if case .pausing(let until) = phase, until <= now { search(now) }
  }

  /// Of what was never sent it is known that it was not done, and a question does nothing.
  private func failure(of call: LinkCall, after limit: Duration) -> ApplicationError {
    if let obstacle, !call.wasSent || call.isQuestion { return .unavailable(obstacle) }
    return .timeout(seconds: limit.seconds)
  }

  mutating func finish(
    _ call: LinkCall,
    _ result: Result<ApplicationAnswer, ApplicationError>
  ) {
    effects.append(.finish(call: call.number, result))
  }

  private mutating func admit(_ reader: Int, _ what: LinkReader) {
    switch what {
    case .alarms:
      alarmReaders.insert(reader)
      effects.append(.admitAlarms(reader: reader, isKnown ? mirror.alarms : nil))
    case .access:
      accessReaders.insert(reader)
      effects.append(.admitAccess(reader: reader, access))
    }
  }

  // MARK: - The end

  private mutating func close() {
    let reason = ApplicationError.unavailable(Self.closedReason)
    for call in calls.removeAll() { finish(call, .failure(reason)) }
    phase = .closed
    effects += [.disconnect, .end]
  }

  private func afterTheEnd(_ event: LinkEvent) -> [LinkEffect] {
    switch event {
    case .asked(let call, _, _):
      [.finish(call: call, .failure(.unavailable(Self.closedReason)))]
    // It came too late to be of use.
    case .reached: [.disconnect]
    default: []
    }
  }

  private static let closedReason = "the program has closed its line to its alarms; open another"
}

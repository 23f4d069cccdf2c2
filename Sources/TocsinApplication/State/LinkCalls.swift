import TocsinModel

/// Something the program has asked for.
struct LinkCall {
  /// Tells it from all others; later ones have higher numbers.
  let number: Int
  /// What is asked; nil waits until the alarms are known.
  let body: Request.Body?
  /// How long it may take; nil if who asked sees to that.
  let limit: Duration?
  /// When that time is over.
  let deadline: LinkMoment?
  /// Whether it may have been carried out.
  var wasSent = false
  /// Whether it was sent again, after a connection was lost.
  var isRepeat = false
  /// The alarm it is about, as it was when it was first sent.
  var before: AlarmStatus?
  /// What of the answer has come.
  var answer = ApplicationAnswer(outcome: Reply.Outcome())

  /// Whether it changes nothing, whoever answers it.
  var isQuestion: Bool {
    switch body {
    case nil, .list, .show, .next, .history, .sinks, .route, .silences, .status: true
    case .schedule, .update, .intent, .sink, .silence, .unsilence, .subscribe, .reload, .backup,
      .join, .authorize, .performed:
      false
    }
  }
}

/// What the program has asked for and has no answer to, in order.
struct LinkCalls {
  /// How many requests are under way at most; the service reads no more of them than 256.
  static let window = 64

  private var calls: [Int: LinkCall] = [:]
  /// Those that are not under way, the first last.
  private var queue: [Int] = []
  private var newest: [Int] = []
  /// No deadline is before this one.
  private(set) var deadline: LinkMoment?

  var isEmpty: Bool { calls.isEmpty }

  subscript(number: Int) -> LinkCall? {
    get { calls[number] }
    set { calls[number] = newValue }
  }

  mutating func add(
    _ number: Int,
    _ body: Request.Body?,
    within limit: Duration?,
    now: LinkMoment
  ) {
    let end = limit.map(now.after)
    calls[number] = LinkCall(number: number, body: body, limit: limit, deadline: end)
    newest.append(number)
    if let end { deadline = min(deadline ?? end, end) }
  }

  mutating func remove(_ number: Int) -> LinkCall? {
    let call = calls.removeValue(forKey: number)
    if calls.isEmpty { deadline = nil }
    return call
  }

  mutating func removeAll() -> [LinkCall] {
    let all = calls.values.sorted { $0.number < $1.number }
    self = LinkCalls()
    return all
  }

  /// Takes out those whose time is over.
  mutating func takeExpired(_ now: LinkMoment) -> [LinkCall] {
    guard let deadline, deadline <= now else { return [] }
    let expired = calls.values.filter { $0.deadline.map { $0 <= now } ?? false }
      .sorted { $0.number < $1.number }
    for call in expired { calls[call.number] = nil }
    self.deadline = calls.values.lazy.compactMap(\.deadline).min()
    return expired
  }

  /// The next that is to be sent, in the order they were asked.
  mutating func popNext() -> LinkCall? {
    while true {
      if queue.isEmpty {
        queue = newest.reversed()
        newest = []
      }
      guard let number = queue.popLast() else { return nil }
      if let call = calls[number] { return call }
    }
  }

  /// The connection is lost: all are to be sent again.
  mutating func restart() {
    queue = calls.keys.sorted(by: >)
    newest = []
    for number in queue { calls[number]?.answer = ApplicationAnswer(outcome: Reply.Outcome()) }
  }
}

import SinkKit

/// Every decision about pop-ups: what is shown when, what a press means, when to try again.
///
/// It is told what happens and answers with what to do; it reads no clock and knows no bus. At most
/// one call of the server is under way, so that one which hangs gathers no pile of them: when it
/// answers, each pop-up goes straight to its newest state.
struct PopUps {
  /// What is to be done.
  enum Effect: Hashable {
    /// Ask the server; its answer comes as an event.
    case call(ServerCall)
    /// End the call of `open` that is under way.
    case giveUpOpening
    case presented(UInt64)
    case failed(UInt64, String, retry: Bool)
    case send(Intent)
    case log(SinkHost.LogLevel, String)
  }

  /// How long a bus may take to let us in.
  static let openLimit = Duration.milliseconds(800)
  /// How long an event waits for a server that does not answer before it is reported as failed.
  static let answerLimit = Duration.seconds(3)
  /// How long until a bus or server that is away is tried again without being noticed.
  static let retryInterval = Duration.seconds(30)
  /// How long a pop-up that a person closed stays away while its alarm rings.
  static let dismissPause = Duration.seconds(5)
  /// How long an answer may take to have an effect before the pop-up is shown again.
  static let answerPause = Duration.seconds(5)
  /// How long a pop-up that nobody closed stays away; doubled each time it does not last.
  static let closePause = Duration.seconds(1)
  /// What lasts longer begins anew with `closePause`.
  static let lasting = Duration.seconds(10)

  /// Whether there is a server.
  enum Server: Equatable {
    /// Nothing is known yet, or something changed: worth a try at once.
    case untried
    /// It answers.
    case open(ServerFeatures)
    /// It does not; tried again at `retry`, or earlier if something is noticed.
    case away(reason: String, retry: Duration)
  }

  /// The call that waits for its answer.
  struct Outstanding: Equatable {
    var call: ServerCall
    var key: PopUpEntry.Key?
    /// The number of the event that it shows.
    var seq: UInt64 = 0
    /// When it is given up, for `open`.
    var limit: Duration?
  }

  let settings: DesktopSettings
  let wording: PopUpWording
  var server = Server.untried
  var outstanding: Outstanding?
  var entries: [PopUpEntry] = []
  /// Whether the log says that no server answers, so that it is said once.
  var hasComplained = false
  var lastHandle = 0
  var effects: [Effect] = []

  init(settings: DesktopSettings, time: LocalTimeText) {
    self.settings = settings
    wording = PopUpWording(time: time, settings: settings)
  }

  /// When `wake` is to be called next, in elapsed time; nil if it need not be.
  func nextWake(at moment: Moment) -> Duration? {
    var wakes = entries.flatMap { entry in entry.receipts.compactMap { $0.deadline } }
    if let outstanding {
      if let limit = outstanding.limit { wakes.append(limit) }
      return wakes.min()
    }
    switch server {
    case .untried: break
    case .away(_, let retry): if wantsServer { wakes.append(retry) }
    case .open(let features):
      wakes += entries.compactMap { nextChange(of: $0, at: moment, on: features) }
    }
    return wakes.min()
  }

  // MARK: Events

  /// An alarm is to be presented so from now on.
  mutating func present(_ presentation: Presentation, at moment: Moment) -> [Effect] {
    guard settings.countdowns || presentation.state == .alerting else {
      // Nothing is to be seen of a countdown, and its snoozed alert goes.
      withdraw(.occurrence(presentation.occurrence))
      effects.append(.presented(presentation.seq))
      return decide(at: moment)
    }
    let index = index(of: .occurrence(presentation.occurrence))
    overtake(index, because: "the next state came first")
    entries[index].present(presentation, at: moment)
    hurry()
    return decide(at: moment)
  }

  /// An alarm is presented no more.
  mutating func clear(_ withdrawal: Withdrawal, at moment: Moment) -> [Effect] {
    let key = PopUpEntry.Key.occurrence(withdrawal.occurrence)
    if let seq = withdrawal.seq {
      if let index = entries.firstIndex(where: { $0.key == key }) {
        entries[index].receipts.append(
          PopUpEntry.Receipt(
            seq: seq,
            kind: .close,
            deadline: moment.elapsed + Self.answerLimit
          )
        )
      } else {
        effects.append(.presented(seq))
      }
    }
    withdraw(key)
    return decide(at: moment)
  }

  /// An alarm reached nobody.
  mutating func missed(_ missed: SinkMessage.Missed, at moment: Moment) -> [Effect] {
    let index = index(of: .missed)
    entries[index].add(missed, at: moment)
    hurry()
    return decide(at: moment)
  }

  /// Something a person should know.
  mutating func notice(_ notice: SinkMessage.Notice, at moment: Moment) -> [Effect] {
    let index = index(of: .notices(notice.level))
    entries[index].add(notice, at: moment)
    hurry()
    return decide(at: moment)
  }

  /// Time has passed, as `nextWake` said.
  mutating func wake(at moment: Moment) -> [Effect] { decide(at: moment) }

  // MARK: Deciding

  /// Whether something is presented for whose sake a server that is away is asked for again.
  ///
  /// A notice of what is over can wait until something is noticed of a server.
  private var wantsServer: Bool {
    entries.contains { $0.presentation != nil || $0.handle != nil }
  }

  private mutating func index(of key: PopUpEntry.Key) -> Int {
    if let index = entries.firstIndex(where: { $0.key == key }) { return index }
    entries.append(PopUpEntry(key))
    return entries.count - 1
  }

  private mutating func withdraw(_ key: PopUpEntry.Key) {
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return }
    overtake(index, because: "it was over before it could be shown")
    entries[index].withdraw()
  }

  /// Ends the wait for events that will not be shown any more; what is on its way is answered yet.
  private mutating func overtake(_ index: Int, because reason: String) {
    for receipt in entries[index].receipts where receipt.kind == .show {
      guard outstanding?.key != entries[index].key || outstanding?.seq != receipt.seq else {
        continue
      }
      if !receipt.isFailed { effects.append(.failed(receipt.seq, reason, retry: false)) }
      entries[index].receipts.removeAll { $0.seq == receipt.seq }
    }
  }

  /// Something new is worth a try, however long ago the last one was.
  private mutating func hurry() {
    if case .away = server { server = .untried }
  }

  /// Does what can be done now, and gives all effects since the last time.
  mutating func decide(at moment: Moment) -> [Effect] {
    tellOverdue(at: moment)
    settle()
    if let outstanding {
      if let limit = outstanding.limit, limit <= moment.elapsed {
        self.outstanding?.limit = nil
        effects.append(.giveUpOpening)
      }
    } else {
      callNext(at: moment)
    }
    defer { effects = [] }
    return effects
  }

  private mutating func callNext(at moment: Moment) {
    switch server {
    case .away(_, let retry) where retry > moment.elapsed || !wantsServer: return
    case .untried, .away:
      guard entries.contains(where: { $0.isWanted || $0.handle != nil }) else { return }
      call(.open, limit: moment.elapsed + Self.openLimit)
    case .open(let features): callNext(at: moment, on: features)
    }
  }

  private mutating func callNext(at moment: Moment, on features: ServerFeatures) {
    if let entry = entries.first(where: { !$0.isWanted && $0.handle != nil }),
      let handle = entry.handle
    {
      return call(.close(handle: handle), for: entry.key)
    }
    // What rings before what counts.
    let order = entries.indices.filter { entries[$0].isRinging }
    for index in order + entries.indices.filter({ !entries[$0].isRinging }) {
      guard entries[index].isDue(at: moment),
        let popUp = entries[index].popUp(wording, now: moment.now, on: features)
      else { continue }
      guard popUp != entries[index].shown else {
        entries[index].shownSeq = entries[index].seq
        confirm(index, upTo: .max)
        continue
      }
      lastHandle += entries[index].handle == nil ? 1 : 0
      let handle = entries[index].handle ?? lastHandle
      entries[index].handle = handle
      let seq = entries[index].seq
      return call(.show(handle: handle, popUp), for: entries[index].key, seq: seq)
    }
  }

  private mutating func call(
    _ call: ServerCall,
    for key: PopUpEntry.Key? = nil,
    seq: UInt64 = 0,
    limit: Duration? = nil
  ) {
    outstanding = Outstanding(call: call, key: key, seq: seq, limit: limit)
    effects.append(.call(call))
  }

  /// Confirms what no server needs to be asked about, and forgets what is over.
  private mutating func settle() {
    for index in entries.indices where entries[index].handle == nil {
      if !entries[index].isWanted || entries[index].isHidden { confirm(index, upTo: .max) }
    }
    entries.removeAll { !$0.isWanted && $0.handle == nil }
  }

  /// Reports as failed what has waited too long.
  private mutating func tellOverdue(at moment: Moment) {
    for index in entries.indices {
      for position in entries[index].receipts.indices {
        let receipt = entries[index].receipts[position]
        guard let deadline = receipt.deadline, deadline <= moment.elapsed else { continue }
        entries[index].receipts[position].deadline = nil
        effects.append(
          .failed(receipt.seq, "the notification server does not answer", retry: true)
        )
      }
    }
  }

  /// Confirms all of an entry's receipts up to an event.
  mutating func confirm(_ index: Int, upTo seq: UInt64) {
    for receipt in entries[index].receipts where receipt.seq <= seq {
      effects.append(.presented(receipt.seq))
    }
    entries[index].receipts.removeAll { $0.seq <= seq }
  }

  /// When an entry's pop-up is to be looked at again.
  private func nextChange(
    of entry: PopUpEntry,
    at moment: Moment,
    on features: ServerFeatures
  ) -> Duration? {
    guard entry.isWanted, !entry.isHidden else { return nil }
    if let pause = entry.pause, pause > moment.elapsed { return pause }
    guard let presentation = entry.presentation else { return nil }
    return wording.nextChange(presentation, now: moment.now, on: features)
      .map { moment.elapsed + $0 }
  }
}

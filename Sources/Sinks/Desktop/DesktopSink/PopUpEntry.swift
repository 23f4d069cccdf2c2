import SinkKit

/// One pop-up: what it is to show, what the server shows of it, and who waits to hear of it.
struct PopUpEntry: Equatable {
  /// What it is about.
  enum Key: Hashable {
    /// An alarm that rings or counts.
    case occurrence(OccurrenceID)
    /// All alarms that reached nobody.
    case missed
    /// All that a person should know and that matters so much.
    case notices(SinkMessage.Notice.Level)
  }

  /// The newest that are kept of what is only told.
  private static let newsLimit = 100

  /// An event whose confirmation is due.
  struct Receipt: Equatable {
    enum Kind { case show, close }

    var seq: UInt64
    var kind: Kind
    /// When it is reported as failed; nil once it was.
    var deadline: Duration?

    var isFailed: Bool { deadline == nil }
  }

  let key: Key
  /// The alarm; nil if it is presented no more.
  private(set) var presentation: Presentation?
  /// What was missed, the newest last.
  private(set) var missed: [SinkMessage.Missed] = []
  /// What is to be known, the newest last.
  private(set) var notices: [SinkMessage.Notice] = []
  /// The number of the newest event.
  private(set) var seq: UInt64 = 0
  /// Names the pop-up at the server, or the one that is being made; never used again.
  var handle: Int?
  /// What the server last confirmed to show.
  var shown: PopUp?
  /// The number of the newest event that the server showed.
  var shownSeq: UInt64 = 0
  var receipts: [Receipt] = []
  /// Not shown before this moment.
  var pause: Duration?
  /// Not shown until the alarm's state changes.
  var isHidden = false
  /// Somebody answered, and what comes of it is awaited until this moment.
  var answered: Duration?
  /// Until this moment a close only follows from a press.
  var pressed: Duration?
  /// When the server confirmed the pop-up as it is.
  var shownAt: Duration?
  /// How long it stays away if the server closes it by itself once more.
  var closePause = PopUps.closePause

  init(_ key: Key) { self.key = key }

  var isWanted: Bool { presentation != nil || !missed.isEmpty || !notices.isEmpty }
  /// Whether it only tells something, so that it is over for good once somebody closed it.
  var isNews: Bool {
    switch key {
    case .occurrence: false
    case .missed, .notices: true
    }
  }
  var isRinging: Bool { presentation?.state == .alerting }

  /// Whether it may be shown at that moment.
  func isDue(at moment: Moment) -> Bool {
    isWanted && !isHidden && (pause ?? moment.elapsed) <= moment.elapsed
  }

  /// What it is to look like; nil if it is not wanted.
  func popUp(_ wording: PopUpWording, now: Instant, on server: ServerFeatures) -> PopUp? {
    if let presentation { return wording.popUp(for: presentation, now: now, on: server) }
    if !missed.isEmpty { return wording.popUp(forMissed: missed, now: now, on: server) }
    return wording.popUp(for: notices, on: server)
  }

  mutating func present(_ new: Presentation, at moment: Moment) {
    let isSame =
      presentation.map {
        $0.state == new.state && $0.fired == new.fired && $0.snoozes == new.snoozes
      } ?? false
    if !isSame {
      isHidden = false
      answered = nil
      pressed = nil
      pause = nil
      closePause = PopUps.closePause
    }
    presentation = new
    wait(for: new.seq, at: moment)
  }

  mutating func add(_ new: SinkMessage.Missed, at moment: Moment) {
    // A repeated notice of the same is no second one.
    missed.removeAll { $0.occurrence == new.occurrence }
    missed.append(new)
    if missed.count > Self.newsLimit { missed.removeFirst() }
    wait(for: new.seq, at: moment)
  }

  mutating func add(_ new: SinkMessage.Notice, at moment: Moment) {
    notices.append(new)
    if notices.count > Self.newsLimit { notices.removeFirst() }
    wait(for: new.seq, at: moment)
  }

  /// Somebody closed what was shown; news that came meanwhile were not there yet.
  mutating func forgetShown() {
    missed.removeAll { $0.seq <= shownSeq }
    notices.removeAll { $0.seq <= shownSeq }
  }

  mutating func withdraw() {
    presentation = nil
    missed = []
    notices = []
  }

  private mutating func wait(for seq: UInt64, at moment: Moment) {
    self.seq = seq
    receipts.append(Receipt(seq: seq, kind: .show, deadline: moment.elapsed + PopUps.answerLimit))
  }

  /// The pop-up is no longer there.
  mutating func lose() {
    handle = nil
    shown = nil
  }
}

import TocsinModel

/// Beyond Apple's: what became of alarms, also of those that are gone.
extension AlarmManager {
  /// What happened to this program's alarms, the newest first.
  ///
  /// An alarm that is no longer in `alarms` was stopped, cancelled or missed: this says which, when and by
  /// whom. Entries are kept as long as the setting `history` of plugins.conf says.
  ///
  /// - Parameters:
  ///   - id: only of this alarm; of all if nil.
  ///   - limit: at most so many entries.
  /// - Returns: the entries; none for an alarm that never was this program's.
  /// - Throws: `Failure` if nothing answers or the store cannot be read.
  public func history(
    for id: Alarm.ID? = nil,
    limit: Int = 100
  ) async throws -> [AlarmHistoryEntry] {
    let filter = Request.HistoryFilter(alarm: id.map { AlarmID($0) }, limit: max(0, limit))
    return try await ask(.history(filter), about: id).entries.map { AlarmHistoryEntry($0) }
  }
}

/// Something that happened to an alarm.
public struct AlarmHistoryEntry: Equatable, Sendable {
  /// When it happened.
  public var date: Date
  /// To which alarm; it may be gone.
  public var alarmID: Alarm.ID
  /// The alarm's title at that time.
  public var title: String
  /// What happened.
  public var event: Event
  /// When the ring that it is about was due, if it is about one.
  public var dueDate: Date?
  /// Who did it: this program's name, `cli`, a sink; nil if it happened by itself.
  public var source: String?
  /// Why, or with which result.
  public var detail: String?

  /// How long after it was due it happened, in seconds, below zero if before; nil if nothing was due.
  public var lateness: TimeInterval? { dueDate.map { date.timeIntervalSince($0) } }

  /// The things that can happen to an alarm.
  public enum Event: String, Codable, Sendable, CaseIterable {
    /// It was accepted.
    case scheduled
    /// It was replaced by another configuration.
    case updated
    /// It began to ring.
    case fired
    /// A sink confirmed that it presents the alert.
    case presented
    /// A sink could not present the alert.
    case failed
    /// A sink did not answer for an alert in time.
    case timedOut
    /// Nobody presented it, because of a silence or a route.
    case withheld
    /// More sinks were asked, because nothing audible was confirmed.
    case fallback
    /// More sinks were asked, because nobody answered.
    case escalated
    /// Nobody confirmed the ring.
    case unheard
    /// It was snoozed, by a person or by itself.
    case snoozed
    /// A countdown was halted.
    case paused
    /// A countdown went on.
    case resumed
    /// A countdown was given another end.
    case extended
    /// Somebody ended the ring or the countdown.
    case stopped
    /// Nobody ended the ring, or it never rang.
    case missed
    /// A timer rang and nobody answered.
    case unanswered
    /// One occurrence was left out, or is no longer.
    case skipped
    /// It was switched on.
    case enabled
    /// It was switched off.
    case disabled
    /// It was deleted.
    case cancelled
    /// Its intent has run; the detail is what went wrong.
    case performed
    /// The ring ended for another reason, which the detail names.
    case ended
  }

  init(_ entry: HistoryEntry) {
    date = Date(entry.at)
    alarmID = UUID(entry.alarm)
    title = entry.title
    event = Event(entry.event)
    dueDate = entry.due.map { Date($0) }
    source = entry.source
    detail = entry.detail
  }
}

extension AlarmHistoryEntry.Event {
  init(_ event: HistoryEntry.Event) {
    switch event {
    case .scheduled: self = .scheduled
    case .updated: self = .updated
    case .fired: self = .fired
    case .presented: self = .presented
    case .failed: self = .failed
    case .timedOut: self = .timedOut
    case .withheld: self = .withheld
    case .fallback: self = .fallback
    case .escalated: self = .escalated
    case .unheard: self = .unheard
    case .snoozed: self = .snoozed
    case .paused: self = .paused
    case .resumed: self = .resumed
    case .extended: self = .extended
    case .stopped: self = .stopped
    case .missed: self = .missed
    case .unanswered: self = .unanswered
    case .skipped: self = .skipped
    case .enabled: self = .enabled
    case .disabled: self = .disabled
    case .cancelled: self = .cancelled
    case .performed: self = .performed
    case .ended: self = .ended
    }
  }
}

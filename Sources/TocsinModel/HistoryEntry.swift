public import TocsinTime

/// One line of the append-only record of what happened to alarms.
public struct HistoryEntry: Hashable, Sendable, Codable {
  /// When it happened.
  public var at: Instant
  /// To which alarm.
  public var alarm: AlarmID
  /// To which occurrence, if one was under way.
  public var occurrence: OccurrenceID?
  /// The program it belonged to, if it was a program's.
  public var application: String?
  /// The alarm's title at that time.
  public var title: String
  /// What happened.
  public var event: Event
  /// When the occurrence was due.
  public var due: Instant?
  /// Who did it: `cli`, a sink's name, a program.
  public var source: String?
  /// Why, or with which result.
  public var detail: String?

  /// The things that can happen.
  public enum Event: String, Codable, Sendable, CaseIterable {
    /// Accepted.
    case scheduled
    /// Replaced by a new definition.
    case updated
    /// Began to ring.
    case fired
    /// A sink confirmed that it presents the alert.
    case presented
    /// A sink could not present the alert.
    case failed
    /// A sink did not answer for an alert in time.
    case timedOut
    /// Presented by nobody, because of a silence, a route that drops it or one that holds it back.
    case withheld
    /// More sinks were asked, because nothing audible was confirmed.
    case fallback
    /// More sinks were asked, because nobody answered.
    case escalated
    /// Nobody confirmed the ring.
    case unheard
    /// Snoozed, by a person or by itself.
    case snoozed
    /// A countdown was halted.
    case paused
    /// A countdown went on.
    case resumed
    /// A countdown was lengthened, shortened or begun again.
    case extended
    /// Ended by somebody.
    case stopped
    /// Ended by nobody, or never rung.
    case missed
    /// A timer rang and nobody answered.
    case unanswered
    /// One occurrence was left out, or is no longer.
    case skipped
    /// Switched on.
    case enabled
    /// Switched off.
    case disabled
    /// Deleted.
    case cancelled
    /// Its program ran the intent for an answer; the detail is what went wrong.
    case performed
    /// Ended for another reason: merged with the next occurrence, or rung on a wrong clock.
    case ended
  }

  package init(
    at: Instant,
    alarm: AlarmID,
    occurrence: OccurrenceID?,
    application: String? = nil,
    title: String,
    event: Event,
    due: Instant? = nil,
    source: String? = nil,
    detail: String? = nil
  ) {
    self.at = at
    self.alarm = alarm
    self.occurrence = occurrence
    self.application = application
    self.title = title
    self.event = event
    self.due = due
    self.source = source
    self.detail = detail
  }
}

import TocsinModel
import TocsinTime

/// Alerts that sinks may still confirm, and what each has said of them.
///
/// Bounded by the alerts under way: of an occurrence only the newest alert is kept, and of what sinks
/// say only what is new, up to a limit.
struct Receipts {
  /// An alert that was presented.
  struct Alert {
    let occurrence: OccurrenceID
    let title: String
    let due: Instant
    fileprivate var said: [String: HistoryEntry.Event] = [:]
    fileprivate var left = Receipts.limit
  }

  /// How many receipts for one alert are worth a line in the record.
  static let limit = 64

  private var alerts: [UInt64: Alert] = [:]
  private var newest: [OccurrenceID: UInt64] = [:]

  /// How many alerts may still be confirmed.
  var count: Int { alerts.count }

  /// Awaits what sinks say of a presentation; of those that do not alert nothing is recorded.
  mutating func expect(_ presentation: Presentation) {
    guard presentation.state == .alerting else { return }
    if let old = newest.updateValue(presentation.seq, forKey: presentation.occurrence) {
      alerts[old] = nil
    }
    alerts[presentation.seq] = Alert(
      occurrence: presentation.occurrence,
      title: presentation.title,
      due: presentation.due
    )
  }

  /// Awaits nothing more of an occurrence that is over.
  mutating func forget(_ occurrence: OccurrenceID) {
    if let seq = newest.removeValue(forKey: occurrence) { alerts[seq] = nil }
  }

  /// Takes what a sink says of an event.
  ///
  /// - Returns: the alert it is about, if that is to be recorded: it is an alert under way, and the
  ///   sink has not said so before.
  mutating func take(_ event: HistoryEntry.Event, of seq: UInt64, from sink: String) -> Alert? {
    guard let alert = alerts[seq], alert.left > 0, alert.said[sink] != event else { return nil }
    alerts[seq]?.said[sink] = event
    alerts[seq]?.left -= 1
    return alert
  }
}

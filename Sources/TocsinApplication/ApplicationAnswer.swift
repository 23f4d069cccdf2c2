package import TocsinModel

/// The whole answer to a request.
package struct ApplicationAnswer: Sendable {
  /// What its end says.
  package var outcome: Reply.Outcome
  /// The alarms it names.
  package var alarms: [AlarmStatus] = []
  /// The entries of the record it names.
  package var entries: [HistoryEntry] = []
  /// The sinks it names.
  package var sinks: [SinkStatus] = []

  package init(outcome: Reply.Outcome) { self.outcome = outcome }
}

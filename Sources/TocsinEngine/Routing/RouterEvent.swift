package import TocsinModel

/// What happens to the router.
package enum RouterEvent: Sendable {
  /// The engine presents an alarm, anew or otherwise than before.
  case present(Presentation)
  /// The engine ended a presentation.
  case clear(SinkMessage.Cleared)
  /// An alarm reached nobody.
  case miss(SinkMessage.Missed, RouteSubject)
  /// An alarm's own button was pressed.
  case secondary(SinkMessage.Secondary, RouteSubject)
  /// A sink is there, or is otherwise than before; `timeout` is how long its answers may take, `scope`
  /// the program whose alarms are all it presents.
  case sink(SinkID, SinkCondition, timeout: Duration, scope: String? = nil)
  /// A sink was switched off, or has left.
  case gone(SinkID)
  /// A sink confirmed an event.
  case presented(seq: UInt64, by: SinkID)
  /// A sink could not present an event.
  case failed(seq: UInt64, by: SinkID, reason: String)
  /// The daemon was started: sinks have so long to be ready before their silence counts.
  case gather(Duration)
  /// Other routes are in force for what happens from now on.
  case adopt([Route])
  /// Somebody wants no alarm that fits for so long.
  case silence(RouteMatch, for: Duration, source: String)
  /// Somebody ends a silence, or all of them.
  case unsilence(number: Int?)
  /// A deadline may have been reached; always harmless.
  case tick
}

/// What the router wants done.
package enum RouterEffect: Sendable {
  /// Hand a message to these sinks.
  case send(SinkMessage, to: [SinkID])
  /// Tell those who only watch.
  case publish(SinkMessage)
  /// Append to the history.
  case record(HistoryEntry)
  /// Write to the log; titles of alarms are private and do not stand in it.
  case log(SinkMessage.Notice.Level, String)
}

/// The end of one presentation, as a sink is told it.
public struct Withdrawal: Hashable, Sendable {
  /// The number a receipt names; nil if no event asked for it, so no receipt is due.
  public var seq: UInt64?
  /// The occurrence that is no longer presented.
  public var occurrence: OccurrenceID
  /// The alarm's title.
  public var title: String
  /// Why it ended; nil if the sink is ending, or the reason passed while it was not connected.
  public var reason: ClearReason?
  /// Who ended it, if somebody did.
  public var source: String?

  /// Its alarm.
  public var alarm: AlarmID { occurrence.alarm }

  /// The end that an event of the protocol tells of.
  public init(_ cleared: SinkMessage.Cleared) {
    seq = cleared.seq
    occurrence = cleared.occurrence
    title = cleared.title
    reason = cleared.reason
    source = cleared.source
  }

  /// The end of a presentation that no event told of.
  public init(of presentation: Presentation) {
    occurrence = presentation.occurrence
    title = presentation.title
  }
}

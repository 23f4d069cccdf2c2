package import TocsinEngine
package import TocsinModel

/// One thing to be made durable.
package enum StoreChange: Sendable, Hashable {
  /// An alarm as it is now; replaces what was stored of it.
  case save(AlarmRecord)
  /// An alarm that is no more.
  case delete(AlarmID)
  /// A line of the record.
  case record(HistoryEntry)
  /// An intent that a program is to run.
  case owe(OwedIntent)
  /// The intent with this number is owed no more.
  case pay(UInt64)
}

package import TocsinModel

/// An intent that a program is to run, with what the record will say of it then.
package struct OwedIntent: Sendable, Hashable {
  package var intent: PendingIntent
  /// The alarm's title when it was answered; the alarm may be gone when the intent runs.
  package var title: String

  package init(_ intent: PendingIntent, title: String) {
    self.intent = intent
    self.title = title
  }
}

/// The intents of a store, in the order of their numbers.
package struct OwedIntents: Sendable, Hashable {
  package var all: [OwedIntent] = []
  /// The highest number the store has ever held.
  package var lastNumber: UInt64 = 0
  /// Sentences about rows that cannot be understood, and stay in the table.
  package var faults: [String] = []

  package init(_ all: [OwedIntent] = [], last: UInt64 = 0) {
    self.all = all
    lastNumber = last
  }
}

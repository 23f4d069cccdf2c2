import TocsinModel
import TocsinTime

/// A row of the table `intents`.
enum IntentRow {
  private static let columns =
    "number, application, alarm, title, origin, serial, action, done, source, at, call"

  static let insert = """
    INSERT OR REPLACE INTO intents (\(columns))
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
    """

  static let delete = "DELETE FROM intents WHERE number = ?1"

  /// - Throws: `ServiceError` if the intent holds what JSON has not.
  static func bind(_ owed: OwedIntent, to statement: borrowing Statement) throws {
    let intent = owed.intent
    // The only part that can fail comes first, so that nothing is left half bound.
    let call = String(decoding: try JSONLine.encode(intent.call).dropLast(), as: UTF8.self)
    statement.bind(1, Int64(clamping: intent.number))
    statement.bind(2, intent.application)
    statement.bind(3, high: intent.alarm.high, low: intent.alarm.low)
    statement.bind(4, owed.title)
    statement.bind(5, intent.occurrence.origin.microseconds)
    statement.bind(6, Int64(intent.occurrence.serial))
    statement.bind(7, intent.action.rawValue)
    statement.bind(8, intent.done?.rawValue)
    statement.bind(9, intent.source)
    statement.bind(10, intent.at.microseconds)
    statement.bind(11, call)
  }

  /// Reads all of them, the first to have been answered first.
  static func read(from database: borrowing Database) throws(StoreError) -> OwedIntents {
    var owed = OwedIntents()
    let rows = try database.prepare("SELECT \(columns) FROM intents ORDER BY number", "read")
    while try database.step(rows, "read") {
      if let intent = intent(rows) {
        owed.all.append(intent)
      } else if owed.faults.isEmpty {
        owed.faults.append(
          "intent \(rows.integer(0)) in \(database.path) is not understood and will not run;"
            + " it stays in the file"
        )
      }
    }
    let last = try database.integer(
      "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'intents'",
      "read"
    )
    owed.lastNumber = UInt64(clamping: last)
    return owed
  }

  private static func intent(_ row: borrowing Statement) -> OwedIntent? {
    guard let number = UInt64(exactly: row.integer(0)), let application = row.text(1),
      let words = row.words(2), let serial = UInt32(exactly: row.integer(5)),
      let action = row.text(6).flatMap(AlarmAction.init(rawValue:)), let call = call(row)
    else { return nil }
    let done = row.text(7).flatMap(AlarmAction.init(rawValue:))
    // What the system did itself decides what the intent may do, so it must be known.
    guard done != nil || row.isNull(7) else { return nil }
    let intent = PendingIntent(
      number: number,
      application: application,
      occurrence: OccurrenceID(
        alarm: AlarmID(high: words.high, low: words.low),
        origin: Instant(microseconds: row.integer(4)),
        serial: serial
      ),
      action: action,
      done: done,
      source: row.text(8) ?? "",
      at: Instant(microseconds: row.integer(9)),
      call: call
    )
    return OwedIntent(intent, title: row.text(3) ?? "")
  }

  private static func call(_ row: borrowing Statement) -> IntentCall? {
    row.text(10).flatMap { try? JSONLine.decode(IntentCall.self, from: Array($0.utf8)) }
  }
}

import TocsinModel
import TocsinTime

/// A row of the table `history`.
enum HistoryRow {
  private static let columns =
    "at, alarm, origin, serial, title, event, due, source, detail, application"

  static let insert = """
    INSERT INTO history (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    """

  static func bind(_ entry: HistoryEntry, to statement: borrowing Statement) {
    statement.bind(1, entry.at.microseconds)
    statement.bind(2, high: entry.alarm.high, low: entry.alarm.low)
    statement.bind(3, entry.occurrence?.origin.microseconds)
    statement.bind(4, entry.occurrence.map { Int64($0.serial) })
    statement.bind(5, entry.title)
    statement.bind(6, entry.event.rawValue)
    statement.bind(7, entry.due?.microseconds)
    statement.bind(8, entry.source)
    statement.bind(9, entry.detail)
    statement.bind(10, entry.application)
  }

  /// Reads the entries that pass a filter, the last written first.
  ///
  /// A clock that was set back in between does not change the order. Events that only another
  /// version knows are left out.
  static func read(
    _ filter: Request.HistoryFilter,
    from database: borrowing Database
  ) throws(StoreError) -> [HistoryEntry] {
    var conditions: [String] = []
    if filter.alarm != nil { conditions.append("alarm = ?1") }
    if let events = filter.events {
      // Names of an enum's cases; nothing in them needs quoting.
      conditions.append("event IN (\(events.map { "'\($0.rawValue)'" }.joined(separator: ", ")))")
    }
    if filter.application != nil { conditions.append("application = ?3") }
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    let rows = try database.prepare(
      "SELECT \(columns) FROM history \(condition) ORDER BY number DESC LIMIT ?2",
      "read"
    )
    if let alarm = filter.alarm { rows.bind(1, high: alarm.high, low: alarm.low) }
    rows.bind(2, Int64(max(0, filter.limit ?? 100)))
    if let application = filter.application { rows.bind(3, application) }
    var entries: [HistoryEntry] = []
    while try database.step(rows, "read") {
      if let entry = entry(rows) { entries.append(entry) }
    }
    return entries
  }

  private static func entry(_ row: borrowing Statement) -> HistoryEntry? {
    guard let words = row.words(1),
      let event = row.text(5).flatMap(HistoryEntry.Event.init(rawValue:))
    else { return nil }
    let alarm = AlarmID(high: words.high, low: words.low)
    var occurrence: OccurrenceID?
    if let origin = row.optionalInteger(2), let serial = UInt32(exactly: row.integer(3)) {
      occurrence = OccurrenceID(
        alarm: alarm,
        origin: Instant(microseconds: origin),
        serial: serial
      )
    }
    return HistoryEntry(
      at: Instant(microseconds: row.integer(0)),
      alarm: alarm,
      occurrence: occurrence,
      application: row.text(9),
      title: row.text(4) ?? "",
      event: event,
      due: row.optionalInteger(6).map(Instant.init(microseconds:)),
      source: row.text(7),
      detail: row.text(8)
    )
  }
}

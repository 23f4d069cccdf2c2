/// How the tables came to be, step by step.
///
/// `PRAGMA user_version` counts the steps a file has behind it. A step that was released is never
/// changed again; a change of the tables is a new step.
package struct StoreSchema: Sendable {
  /// What leads from each version to the next; the first makes a new store.
  package var steps: [String]

  package init(steps: [String]) {
    self.steps = steps
  }

  /// The version all steps lead to.
  package var version: Int { steps.count }

  /// What this version of Tocsin reads and writes.
  package static let current = StoreSchema(steps: [first, applications, hours])

  // An alarm's columns, in words:
  //
  // schedule   NULL a timer, 0 an instant, 1 a time once, 2 on a date, 3 weekly, 4 by a calendar
  // at         0: microseconds since 1970 UTC; 1 to 4: seconds since midnight
  // days       2: days since 1970-01-01; 3: a bit for each weekday, Monday 1; 4: the calendar's text
  // zone       NULL wherever the machine is
  // pre_alert  seconds, as post_alert
  // options    JSON, NULL for none
  // next_date  days since 1970-01-01, as last_date, skip_date and date
  // phase      NULL nothing under way, 1 counting down, 2 paused, 3 alerting
  // origin     microseconds since 1970 UTC, as due, began (start or fired) and end_wall
  // end_boot   microseconds since the boot whose id is in boot
  // total      microseconds, as elapsed and late
  private static let first = """
    CREATE TABLE alarms (
      id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16),
      title TEXT NOT NULL,
      enabled INTEGER NOT NULL,
      schedule INTEGER,
      at INTEGER,
      days,
      zone TEXT,
      pre_alert REAL,
      post_alert REAL,
      options TEXT,
      next_date INTEGER,
      last_date INTEGER,
      skip_date INTEGER,
      serial INTEGER NOT NULL,
      retired INTEGER NOT NULL,
      phase INTEGER,
      origin INTEGER,
      date INTEGER,
      due INTEGER,
      snoozes INTEGER,
      auto_snoozes INTEGER,
      trusted INTEGER,
      began INTEGER,
      end_wall INTEGER,
      end_boot INTEGER,
      boot TEXT,
      total INTEGER,
      elapsed INTEGER,
      snooze INTEGER,
      late INTEGER
    ) WITHOUT ROWID;
    CREATE TABLE history (
      number INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      alarm BLOB NOT NULL,
      origin INTEGER,
      serial INTEGER,
      title TEXT NOT NULL,
      event TEXT NOT NULL,
      due INTEGER,
      source TEXT,
      detail TEXT
    );
    """

  // What programs need: whose a line of the record is, and the intents that have not run, in words:
  //
  // number     never given out twice, for which AUTOINCREMENT remembers the highest
  // title      the alarm's when it was answered; it may be gone when the intent runs
  // origin     microseconds since 1970 UTC, as at
  // call       JSON
  private static let applications = """
    ALTER TABLE history ADD COLUMN application TEXT;
    CREATE TABLE intents (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      application TEXT NOT NULL,
      alarm BLOB NOT NULL CHECK (length(alarm) = 16),
      title TEXT NOT NULL,
      origin INTEGER NOT NULL,
      serial INTEGER NOT NULL,
      action TEXT NOT NULL,
      done TEXT,
      source TEXT NOT NULL,
      at INTEGER NOT NULL,
      call TEXT NOT NULL
    );
    """

  // When the last ring was, in hours since 1970 UTC: its date alone depends on the zone.
  private static let hours = """
    ALTER TABLE alarms ADD COLUMN last_hour INTEGER;
    UPDATE alarms SET last_hour = last_date * 24 WHERE last_date IS NOT NULL;
    """

  /// Takes an open database through the steps it lacks, all or none of them.
  ///
  /// - Parameters:
  ///   - database: is not in a transaction.
  ///   - version: the steps it has behind it, 0 for an empty one.
  /// - Throws: `StoreError`; the database is as it was then.
  package func migrate(
    _ database: borrowing Database,
    from version: Int
  ) throws(StoreError) {
    guard version < self.version else { return }
    let operation = version == 0 ? "make" : "bring up to version \(self.version)"
    try database.execute("BEGIN IMMEDIATE", operation)
    do {
      for step in steps[version...] { try database.execute(step, operation) }
      try database.execute("PRAGMA user_version = \(self.version)", operation)
      try database.execute("COMMIT", operation)
    } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK", operation) }
      throw error
    }
  }
}

extension StoreSchema {
  /// Makes sure that an older database has what all versions have, before it is changed.
  private func checkTables(of database: borrowing Database) throws(StoreError) {
    do {
      _ = try database.prepare("SELECT id, title, enabled FROM alarms", "read")
      _ = try database.prepare("SELECT number, at, event FROM history", "read")
    } catch {
      var error = error
      if error.kind == .rejected { error.kind = .damaged }
      throw error
    }
  }

  /// The version of an open database, as its log has it.
  func version(of database: borrowing Database) throws(StoreError) -> Int {
    let version = try database.integer("PRAGMA user_version", "open")
    guard version <= self.version else { throw newer(version, database.path) }
    guard version > 0 else {
      throw StoreError(
        .damaged,
        "open",
        path: database.path,
        message: "it is a database of something else"
      )
    }
    if version < self.version { try checkTables(of: database) }
    return version
  }

  func newer(_ version: Int, _ path: String) -> StoreError {
    StoreError(
      .newer(version: version),
      "open",
      path: path,
      message: "it was written by a newer tocsin (version \(version), this one knows"
        + " \(self.version)), and was left as it is"
    )
  }
}

import Glibc
import TocsinEngine
import TocsinModel
import TocsinTime

/// An open store: the database and the statements that are used again and again.
///
/// Not for two threads at once; the store's worker owns it.
final class StoreConnection {
  let database: Database
  /// Why it cannot be written; nil if it can.
  let unwritable: StoreError?

  private let upsert: Statement
  private let delete: Statement
  private let record: Statement
  private let owe: Statement
  private let pay: Statement
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement
  private let pages: UnsafeMutablePointer<Int32>

  /// Prepares an open database of the present version.
  ///
  /// - Throws: `StoreError` with `damaged` if its tables are not the ones of this version.
  init(_ database: consuming Database, unwritable: StoreError? = nil) throws(StoreError) {
    do {
      upsert = try database.prepare(AlarmColumn.upsert)
      delete = try database.prepare("DELETE FROM alarms WHERE id = ?1")
      record = try database.prepare(HistoryRow.insert)
      owe = try database.prepare(IntentRow.insert)
      pay = try database.prepare(IntentRow.delete)
      begin = try database.prepare("BEGIN IMMEDIATE")
      commit = try database.prepare("COMMIT")
      rollback = try database.prepare("ROLLBACK")
    } catch {
      var error = error
      if error.kind == .rejected { error.kind = .damaged }
      throw error
    }
    pages = .allocate(capacity: 1)
    pages.initialize(to: 0)
    database.countLogPages(into: pages)
    self.database = database
    self.unwritable = unwritable
  }

  deinit {
    database.countLogPages(into: nil)
    pages.deallocate()
  }

  /// Pages in the write-ahead log after the last commit.
  var logPages: Int { Int(pages.pointee) }

  /// Takes the log as empty until the next commit says how long it is.
  func forgetLogPages() { pages.pointee = 0 }

  /// Settings of a connection that must precede the first look into the file.
  ///
  /// The exclusive lock lets SQLite keep the log's index in its own memory: no shared-memory file,
  /// which a full file system could not take, and fewer system calls for each commit.
  static func prepare(_ database: borrowing Database) throws(StoreError) {
    database.keepLogOnClose(true)
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA busy_timeout = 1000;
      PRAGMA cache_size = -256;
      PRAGMA mmap_size = 0;
      PRAGMA temp_store = MEMORY;
      PRAGMA trusted_schema = OFF;
      """,
      "open"
    )
  }

  /// Settings of a connection that was found good and will be written.
  static func prepareToWrite(_ database: borrowing Database) throws(StoreError) {
    // FULL: one fsync of the log for each commit, so that what was acknowledged survives a power cut.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", "open")
    database.keepLogOnClose(false)
  }

  /// Runs a body as one transaction: all of it is durable when this returns, or nothing of it.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    if let unwritable { throw unwritable }
    try database.run(begin, "save to")
    do {
      try body()
      try database.run(commit, "save to")
    } catch {
      // A full disk or a failed device may have ended the transaction already.
      if database.isInTransaction { try? database.run(rollback, "save to") }
      throw error
    }
  }

  /// Writes one change; inside a transaction.
  ///
  /// - Throws: `StoreError` with `rejected` if the change itself is at fault.
  func apply(_ change: StoreChange, boot: String) throws(StoreError) {
    switch change {
    case .save(let alarm):
      try bound("the options of \(alarm.alarm.id)") {
        try AlarmRow.bind(alarm, boot: boot, to: upsert)
      }
      try database.run(upsert, "save to")
    case .delete(let id):
      delete.bind(1, high: id.high, low: id.low)
      try database.run(delete, "save to")
    case .record(let entry):
      HistoryRow.bind(entry, to: record)
      try database.run(record, "save to")
    case .owe(let owed):
      try bound("the parameters of \(owed.intent.alarm)'s intent") {
        try IntentRow.bind(owed, to: owe)
      }
      try database.run(owe, "save to")
    case .pay(let number):
      pay.bind(1, Int64(clamping: number))
      try database.run(pay, "save to")
    }
  }

  /// Binds what may hold something that JSON has not.
  private func bound(_ subject: String, _ body: () throws -> Void) throws(StoreError) {
    do {
      try body()
    } catch {
      let message = "\(subject) are not JSON (\(error))"
      throw StoreError(.rejected, "save to", path: database.path, message: message)
    }
  }

  /// Reads all alarms, in no particular order.
  ///
  /// - Returns: what is wrong with the rows that were left out; they stay in the table.
  func load(
    _ clocks: StoreClocks,
    _ body: (AlarmRecord) -> Void
  ) throws(StoreError) -> [String] {
    var faults: [String] = []
    var faultCount = 0
    var options = OptionsReader()
    let rows = try database.prepare(AlarmColumn.select, "read")
    while try database.step(rows, "read") {
      do {
        body(try AlarmRow.read(rows, clocks: clocks, options: &options))
      } catch {
        faultCount += 1
        guard faults.count < Self.shownFaults else { continue }
        let id = rows.words(0).map { AlarmID(high: $0.high, low: $0.low).description } ?? "?"
        faults.append(
          "alarm \(id) in \(database.path) is not understood and will not ring: \(error.reason);"
            + " it stays in the file"
        )
      }
    }
    if faultCount > faults.count {
      faults.append("\(faultCount - faults.count) more alarms are not understood either")
    }
    return faults
  }

  private static let shownFaults = 10

  /// Columns of `alarms` that this version does not know; their values are kept.
  func unknownColumns() throws(StoreError) -> [String] {
    let known = Set(AlarmColumn.allCases.map(\.name))
    return try database.texts("SELECT name FROM pragma_table_info('alarms')")
      .filter { !known.contains($0) }
  }
}

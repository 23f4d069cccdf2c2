import CSQLite

/// One connection to an SQLite file.
///
/// It has no mutex of its own (SQLITE_OPEN_NOMUTEX): one thread at a time may use it, which one may
/// change. The corresponding C type is `sqlite3`.
package struct Database: ~Copyable {
  /// How a file is opened.
  package enum Mode: Sendable {
    /// For reading and writing; the file must be there and must not be a symbolic link.
    case readWrite
    /// For reading a file whose directory takes no writes; a write-ahead log beside it is read too.
    case readOnly(hasLog: Bool)
    /// A database of its own in memory.
    case memory
  }

  /// The file; empty in memory.
  package let path: String
  private let handle: OpaquePointer

  /// Opens a connection; SQLite touches the file only at the first statement.
  ///
  /// - Throws: `StoreError` with `cannotOpen` or `readOnly`.
  package init(path: String, mode: Mode) throws(StoreError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code: Int32
    switch mode {
    case .readWrite:
      code = sqlite3_open_v2(
        path,
        &handle,
        flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW,
        nil
      )
    case .readOnly(let hasLog):
      // Locks and shared memory need a writable directory. The log is read without them through the
      // VFS that takes no locks; without a log the file cannot change: immutable.
      let uri = "file:\(percentEncoded(path))?\(hasLog ? "vfs=unix-none" : "immutable=1")"
      code = sqlite3_open_v2(uri, &handle, flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    case .memory:
      code = sqlite3_open_v2(
        ":memory:",
        &handle,
        flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
        nil
      )
    }
    guard code == SQLITE_OK, let opened = handle else {
      let error = StoreError(
        "open",
        path: path,
        code: code,
        systemError: sqlite3_system_errno(handle),
        message: String(cString: sqlite3_errstr(code))
      )
      sqlite3_close_v2(handle)
      throw error
    }
    self.path = path
    self.handle = opened
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Whether the file could be opened for reading only.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Whether a transaction is under way.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Rows changed by the last statement.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  /// Lets closing leave the file and its log as they are, or move the log into the file.
  package func keepLogOnClose(_ keep: Bool) {
    _ = csqlite_keep_wal_on_close(handle, keep ? 1 : 0)
  }

  /// Runs statements that return nothing of interest.
  package func execute(_ sql: String, _ operation: String = "use") throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(operation, code) }
  }

  /// Compiles a statement.
  package func prepare(_ sql: String, _ operation: String = "use") throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(operation, code) }
    return Statement(statement)
  }

  /// Runs a query for its first column, as text.
  package func texts(_ sql: String, _ operation: String = "read") throws(StoreError) -> [String] {
    let statement = try prepare(sql, operation)
    var texts: [String] = []
    while try step(statement, operation) { texts.append(statement.text(0) ?? "") }
    return texts
  }

  /// Runs a query for one number; 0 if it returns none.
  package func integer(_ sql: String, _ operation: String = "read") throws(StoreError) -> Int {
    let statement = try prepare(sql, operation)
    return try step(statement, operation) ? Int(statement.integer(0)) : 0
  }

  /// Runs a statement to its next row; false when there is none.
  package func step(
    _ statement: borrowing Statement,
    _ operation: String
  ) throws(StoreError) -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(operation, code)
    }
  }

  /// Runs a bound statement that returns no rows, and leaves it ready for the next time.
  package func run(_ statement: borrowing Statement, _ operation: String) throws(StoreError) {
    let code = sqlite3_step(statement.handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let error = error(operation, code)
      statement.reset()
      throw error
    }
    statement.reset()
  }

  /// Moves what the log holds into the file.
  ///
  /// It does not cut the log off, so that the next commits overwrite it in place: that spares each
  /// of them the write of the file's new length.
  ///
  /// - Returns: the pages that stay in the log; 0 when all were moved.
  package func checkpoint() throws(StoreError) -> Int {
    var logged: Int32 = 0
    var moved: Int32 = 0
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &logged, &moved)
    guard code == SQLITE_OK else { throw error("tidy", code) }
    return Int(logged - moved)
  }

  /// Calls back after each commit with the number of pages in the log.
  ///
  /// - Parameter pages: must stay valid until another is given; nil ends the counting.
  package func countLogPages(into pages: UnsafeMutablePointer<Int32>?) {
    // This replaces SQLite's own checkpoint inside a commit (sqlite3_wal_autocheckpoint).
    sqlite3_wal_hook(handle, noteLogPages, pages)
  }

  /// Copies the whole database over another one.
  ///
  /// - Note: blocks until all pages are copied. The corresponding C functions are `sqlite3_backup_*`.
  package func copy(to target: borrowing Database) throws(StoreError) {
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.error("write the backup", sqlite3_extended_errcode(target.handle))
    }
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE else {
      throw target.error("write the backup", finished == SQLITE_OK ? stepped : finished)
    }
  }

  /// Gives back what the page cache holds.
  package func releaseMemory() {
    _ = sqlite3_db_release_memory(handle)
  }

  private func error(_ operation: String, _ code: Int32) -> StoreError {
    StoreError(
      operation,
      path: path,
      code: code,
      systemError: sqlite3_system_errno(handle),
      message: String(cString: sqlite3_errmsg(handle))
    )
  }
}

private func noteLogPages(
  _ context: UnsafeMutableRawPointer?,
  _: OpaquePointer?,
  _: UnsafePointer<CChar>?,
  _ pages: Int32
) -> Int32 {
  context?.assumingMemoryBound(to: Int32.self).pointee = pages
  return SQLITE_OK
}

/// A path as it stands in a `file:` URI: all but unreserved characters and slashes escaped.
private func percentEncoded(_ path: String) -> String {
  var encoded = ""
  for byte in path.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }
  return encoded
}

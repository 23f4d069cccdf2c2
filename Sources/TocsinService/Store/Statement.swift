import CSQLite

/// A compiled SQL statement; parameters count from 1, columns from 0, as in SQLite.
///
/// Used by the thread that uses its `Database`. The corresponding C type is `sqlite3_stmt`.
package struct Statement: ~Copyable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Makes it ready to run again and forgets its parameters.
  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // Binding fails only for an index that is not there or a value above a gigabyte. Then the step
  // that follows meets a NULL where the schema forbids one, and reports it.

  /// Binds a number; nil binds NULL.
  package func bind(_ index: Int32, _ value: Int64?) {
    guard let value else { return }
    sqlite3_bind_int64(handle, index, value)
  }

  /// Binds a number with a fraction; nil binds NULL.
  package func bind(_ index: Int32, _ value: Double?) {
    guard let value else { return }
    sqlite3_bind_double(handle, index, value)
  }

  /// Binds a copy of a text; nil binds NULL.
  package func bind(_ index: Int32, _ value: String?) {
    guard var value else { return }
    value.withUTF8 { bytes in
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        // An empty text has no address, and no address would bind NULL.
        csqlite_bind_text(handle, index, "", 0)
        return
      }
      start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
        _ = csqlite_bind_text(handle, index, characters, Int32(bytes.count))
      }
    }
  }

  /// Binds sixteen bytes, the most significant first.
  package func bind(_ index: Int32, high: UInt64, low: UInt64) {
    var words = (high.bigEndian, low.bigEndian)
    withUnsafeBytes(of: &words) { bytes in
      _ = csqlite_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count))
    }
  }

  /// Whether the column is NULL.
  package func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Whether the column holds a whole number.
  package func isInteger(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_INTEGER
  }

  /// The column as a number; 0 for what is none.
  package func integer(_ column: Int32) -> Int64 {
    sqlite3_column_int64(handle, column)
  }

  /// The column as a number; nil if it is NULL.
  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// The column as a number with a fraction; nil if it is NULL.
  package func optionalDouble(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(handle, column)
  }

  /// The column as text, repaired where it is not UTF-8; nil if it is NULL.
  package func text(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Sixteen bytes as two words; nil for anything else.
  package func words(_ column: Int32) -> (high: UInt64, low: UInt64)? {
    guard let start = sqlite3_column_blob(handle, column),
      sqlite3_column_bytes(handle, column) == 16
    else { return nil }
    let high = start.loadUnaligned(as: UInt64.self)
    let low = start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    return (UInt64(bigEndian: high), UInt64(bigEndian: low))
  }
}

/// Copies of whole stores: the backups, and their way back.
enum StoreCopy {
  /// Checks each page of a database; `PRAGMA quick_check`.
  static func check(_ database: borrowing Database) throws(StoreError) {
    let result = try database.texts("PRAGMA quick_check(1)", "check")
    guard result == ["ok"] else {
      throw StoreError(
        .damaged,
        "check",
        path: database.path,
        message: result.first ?? "the check says nothing"
      )
    }
  }

  /// Puts a verified copy of another store beside this one, as `StoreFiles.unfinished`; giving it
  /// its name is all that is left to do.
  ///
  /// - Throws: `StoreError` with `damaged` or `newer` about the source; nothing is left then.
  static func stage(
    _ source: String,
    at files: StoreFiles,
    schema: StoreSchema
  ) throws(StoreError) {
    StoreFiles.discard(files.unfinished)
    do {
      try StoreFiles.copy(source, to: files.unfinished)
      // With its log, if it has one: then it was not made by a backup, but by `cp`.
      if (StoreFiles.size(source + "-wal") ?? 0) > 0 {
        try StoreFiles.copy(source + "-wal", to: files.unfinished + "-wal")
      }
      try verify(files.unfinished, schema: schema)
    } catch {
      StoreFiles.discard(files.unfinished)
      var error = error
      if error.path.hasPrefix(files.unfinished), error.kind == .damaged { error.path = source }
      throw error
    }
  }

  /// Makes sure a copy holds a store that this version can open, and moves its log into it.
  private static func verify(
    _ path: String,
    schema: StoreSchema
  ) throws(StoreError) {
    switch try StoreHeader.read(path) {
    case .absent:
      throw StoreError(.cannotOpen, "open", path: path, message: "there is no such file")
    case .damaged(let reason): throw StoreError(.damaged, "open", path: path, message: reason)
    case .database: break
    }
    let database = try Database(path: path, mode: .readWrite)
    try StoreConnection.prepare(database)
    let version = try schema.version(of: database)
    try check(database)
    // Tables of an older version are looked at when it is brought up to date.
    try database.execute("PRAGMA journal_mode = DELETE", "check")
    if version == schema.version { _ = try StoreConnection(database) }
    try StoreFiles.sync(path)
  }

  /// Writes a checked copy of an open database, under its name only when it is whole and durable.
  static func write(
    _ database: borrowing Database,
    to path: String,
    in files: StoreFiles
  ) throws(StoreError) {
    let unfinished = path + ".new"
    StoreFiles.discard(unfinished)
    do {
      try StoreFiles.makeEmpty(unfinished)
      try fill(unfinished, from: database)
      try StoreFiles.sync(unfinished)
      try files.rename(unfinished, to: path)
    } catch {
      StoreFiles.discard(unfinished)
      throw error
    }
  }

  private static func fill(
    _ path: String,
    from database: borrowing Database
  ) throws(StoreError) {
    let copy = try Database(path: path, mode: .readWrite)
    try copy.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA cache_size = -256;
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      """,
      "write the backup"
    )
    try database.copy(to: copy)
    // One file that needs no log beside it, so that it can be read from anywhere.
    try copy.execute("PRAGMA journal_mode = DELETE", "write the backup")
    try check(copy)
  }
}

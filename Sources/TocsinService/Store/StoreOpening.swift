import TocsinTime

/// The way from a path to an open store: what is found there is looked at before it is touched, and
/// what cannot be used is moved aside, never overwritten.
///
/// The caller holds the `StoreLock`.
struct StoreOpening {
  let files: StoreFiles
  let schema: StoreSchema
  let now: Instant
  /// What a person must know about it, a sentence each.
  private(set) var warnings: [String] = []

  init(files: StoreFiles, schema: StoreSchema, now: Instant) {
    self.files = files
    self.schema = schema
    self.now = now
  }

  /// Opens the store, makes a new one, or brings the last backup back.
  ///
  /// - Returns: a connection that may be for reading only; then a warning says so.
  /// - Throws: `StoreError` with `newer`; or why nothing could be read or made.
  mutating func open() throws(StoreError) -> StoreConnection {
    switch try StoreHeader.read(files.main) {
    case .absent:
      let isFirst = StoreFiles.size(files.backup) == nil && StoreFiles.size(files.log) == nil
      return isFirst ? try make() : try recover("it is missing")
    case .damaged(let reason):
      return try recover(reason)
    case .database(let version):
      guard version <= schema.version else { throw schema.newer(version, files.main) }
      do {
        return try connect()
      } catch {
        switch error.kind {
        case .damaged: return try recover(error.message)
        case .readOnly, .full, .io, .cannotOpen: return try readOnly(error)
        case .locked, .newer, .rejected, .closed: throw error
        }
      }
    }
  }

  // MARK: A store that is there

  private mutating func connect() throws(StoreError) -> StoreConnection {
    let database = try Database(path: files.main, mode: .readWrite)
    guard !database.isReadOnly else {
      throw StoreError(.readOnly, "open", path: files.main, message: "it cannot be written")
    }
    StoreFiles.keepPrivate(files.main)
    try StoreConnection.prepare(database)
    let version = try schema.version(of: database)
    // Each time, also after an orderly end: cards lose pages while nothing writes to them.
    try StoreCopy.check(database)
    if version < schema.version {
      let copy = "\(files.main).version-\(version)"
      try StoreCopy.write(database, to: copy, in: files)
      try schema.migrate(database, from: version)
      warnings.append(
        "\(files.main) was brought from version \(version) to \(schema.version);"
          + " \(copy) holds it as it was"
      )
    }
    // Only what is known to be a store of this version is changed, were it by closing it.
    let connection = try StoreConnection(database)
    try StoreConnection.prepareToWrite(connection.database)
    // The version must stand in the file itself, where an older Tocsin looks for it.
    if version < schema.version { _ = try connection.database.checkpoint() }
    try noteUnknownColumns(connection)
    return connection
  }

  private mutating func noteUnknownColumns(_ connection: StoreConnection) throws(StoreError) {
    let unknown = try connection.unknownColumns()
    guard !unknown.isEmpty else { return }
    warnings.append(
      "\(files.main) has columns this tocsin does not know, and keeps:"
        + " \(unknown.joined(separator: ", "))"
    )
  }

  // MARK: A store that cannot be written

  private mutating func readOnly(_ cause: StoreError) throws(StoreError) -> StoreConnection {
    for path in [files.main, files.backup] where (StoreFiles.size(path) ?? 0) > 0 {
      do {
        let connection = try read(path, cause)
        warnings.append(
          "alarms ring as \(path) has them, but nothing can be changed: \(cause)"
        )
        return connection
      } catch {
        if case .newer = error.kind { throw error }
      }
    }
    throw cause
  }

  /// Opens a database for reading, and checks all of it.
  private func read(_ path: String, _ cause: StoreError?) throws(StoreError) -> StoreConnection {
    let hasLog = (StoreFiles.size(path + "-wal") ?? 0) > 0
    let database = try Database(path: path, mode: .readOnly(hasLog: hasLog))
    try StoreConnection.prepare(database)
    let version = try schema.version(of: database)
    try StoreCopy.check(database)
    guard version < schema.version else {
      return try StoreConnection(database, unwritable: cause)
    }
    // It cannot be brought up to date where it is, and its alarms are to ring all the same.
    let copy = try Database(path: "", mode: .memory)
    try database.copy(to: copy)
    try schema.migrate(copy, from: version)
    return try StoreConnection(copy, unwritable: cause)
  }

  // MARK: A store that is damaged or gone

  private mutating func recover(_ reason: String) throws(StoreError) -> StoreConnection {
    // The copy of the backup is made first: if there is no room for it, nothing was touched.
    var backupFault: String?
    let hasBackup = StoreFiles.size(files.backup) != nil
    let aside: String
    do {
      if hasBackup { backupFault = try stageBackup() }
      aside = try files.moveAside(files.main, reason: "damaged", now: now)
    } catch {
      guard error.isRetryable else { throw error }
      return try readOnly(error)
    }
    let isGone = StoreFiles.size(aside) == nil && StoreFiles.size(aside + "-wal") == nil
    let loss =
      "the store \(files.main) cannot be used: \(reason)"
      + (isGone ? "" : "; it was moved to \(aside)")
    if let backupFault {
      let other = try files.moveAside(files.backup, reason: "damaged", now: now)
      warnings.append(
        "\(loss). Its backup is damaged too (\(backupFault)) and was moved to \(other):"
          + " ALL ALARMS IN IT ARE LOST, set them again"
      )
      return try make()
    }
    guard hasBackup else {
      warnings.append("\(loss). There is no backup: ALL ALARMS IN IT ARE LOST, set them again")
      return try make()
    }
    let age = StoreFiles.modified(files.backup).map(compactUTC) ?? "?"
    try files.rename(files.unfinished, to: files.main)
    warnings.append(
      "\(loss). The backup \(files.backup) of \(age) took its place:"
        + " alarms changed since then are as they were"
    )
    return try connect()
  }

  /// Stages the backup; returns what is wrong with it if it is damaged.
  private func stageBackup() throws(StoreError) -> String? {
    do {
      try StoreCopy.stage(files.backup, at: files, schema: schema)
      return nil
    } catch {
      guard error.kind == .damaged else { throw error }
      return error.message
    }
  }

  // MARK: A new store

  /// Makes an empty store, which gets its name only when it is whole: a power cut leaves either none
  /// or all of it.
  private func make() throws(StoreError) -> StoreConnection {
    StoreFiles.discard(files.unfinished)
    try StoreFiles.makeEmpty(files.unfinished)
    try build()
    try files.rename(files.unfinished, to: files.main)
    let database = try Database(path: files.main, mode: .readWrite)
    try StoreConnection.prepare(database)
    try StoreConnection.prepareToWrite(database)
    return try StoreConnection(database)
  }

  private func build() throws(StoreError) {
    let database = try Database(path: files.unfinished, mode: .readWrite)
    try StoreConnection.prepare(database)
    try StoreConnection.prepareToWrite(database)
    try schema.migrate(database, from: 0)
  }
}

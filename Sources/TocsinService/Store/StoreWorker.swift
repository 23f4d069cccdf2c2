import TocsinEngine
import TocsinModel
import TocsinTime

/// The store's thread side: it owns the connection and does the jobs.
///
/// Not Sendable: the store's thread uses it, or whoever holds that thread back (`whileIdle`).
final class StoreWorker {
  let setup: StoreSetup
  /// Nil for a store in memory.
  let files: StoreFiles?
  /// Nil while a reopening has failed, and after the end.
  private(set) var connection: StoreConnection?
  private var lock: StoreLock?
  private var pending = PendingChanges()
  var figures = StoreFigures()
  /// Whether anything was stored since the last backup.
  var hasChanged = false
  let publish: (StoreFigures) -> Void

  /// The bytes for which there is room in the log, or was none to be had.
  var logRoom = 0

  init(
    setup: StoreSetup,
    files: StoreFiles?,
    connection: StoreConnection,
    lock: consuming StoreLock?,
    publish: @escaping (StoreFigures) -> Void
  ) {
    self.setup = setup
    self.files = files
    self.connection = connection
    self.lock = lock
    self.publish = publish
  }

  /// Does jobs in their order; neighbouring commits share a transaction.
  func run(_ jobs: [StoreJob]) {
    var group: [StoreRequest] = []
    for job in jobs {
      if case .commit(let request) = job {
        group.append(request)
        continue
      }
      commit(group)
      group = []
      switch job {
      case .commit: break
      case .history(let filter, let completion): completion(history(filter))
      case .prune(let instant, let completion): completion?(prune(before: instant))
      case .backup(let path, let completion): completion?(backup(to: path))
      case .retry(let completion): completion?(retry())
      case .tidy(let completion): completion?(tidy())
      }
    }
    commit(group)
    if let connection, connection.logPages >= Self.largestLogPages { checkpoint() }
    makeLogRoom()
  }

  // MARK: Commits

  private func commit(_ group: [StoreRequest]) {
    guard !group.isEmpty else { return }
    do {
      try store(pending.changes + group.flatMap(\.changes))
      succeed(group)
    } catch  where error.kind == .rejected && (group.count > 1 || !pending.isEmpty) {
      // One of them is at fault; it must not take the others with it.
      _ = retry()
      for request in group { commitAlone(request) }
    } catch {
      fail(group, error)
    }
  }

  private func commitAlone(_ request: StoreRequest) {
    do {
      try store(pending.changes + request.changes)
      succeed([request])
    } catch {
      fail([request], error)
    }
  }

  private func succeed(_ group: [StoreRequest]) {
    pending.removeAll()
    figures.commits += group.count
    show(nil)
    for request in group { request.completion?(nil) }
  }

  private func fail(_ group: [StoreRequest], _ error: StoreError) {
    if error.isRetryable {
      for request in group where request.keepsOnFailure { pending.keep(request.changes) }
    }
    show(error)
    for request in group { request.completion?(error) }
  }

  private func show(_ error: StoreError?) {
    figures.lastError = error
    figures.pending = pending.count
    publish(figures)
  }

  /// Stores changes in one transaction.
  private func store(_ changes: [StoreChange]) throws(StoreError) {
    let connection = try writable()
    let boot = setup.bootID
    try connection.transaction { () throws(StoreError) in
      for change in changes { try connection.apply(change, boot: boot) }
    }
    figures.transactions += 1
    hasChanged = true
  }

  /// Tries what is pending once more.
  private func retry() -> StoreError? {
    guard !pending.isEmpty else { return nil }
    do {
      try store(pending.changes)
    } catch  where error.kind == .rejected {
      storeSingly(pending.changes)
    } catch {
      show(error)
      return error
    }
    pending.removeAll()
    show(nil)
    return nil
  }

  private func storeSingly(_ changes: [StoreChange]) {
    for change in changes {
      do {
        try store([change])
      } catch {
        setup.warn("a change was given up: \(error)")
      }
    }
  }

  /// A connection to write to; opens the store again if it could only be read so far.
  private func writable() throws(StoreError) -> StoreConnection {
    if let connection, connection.unwritable == nil { return connection }
    guard let files else { throw closed("save to") }
    if let cause = connection?.unwritable, !files.takesWrites { throw cause }
    // The old connection goes first: closing a file drops all locks its process has on it.
    connection = nil
    if lock?.isOnDirectory ?? true { lock = try StoreLock(files) }
    lock?.sign(files)
    var opening = StoreOpening(files: files, schema: setup.schema, now: setup.now())
    let opened = try opening.open()
    connection = opened
    if let cause = opened.unwritable { throw cause }
    for warning in opening.warnings { setup.warn(warning) }
    return opened
  }

  func closed(_ operation: String) -> StoreError {
    StoreError(.closed, operation, path: files?.main ?? "", message: "it is closed")
  }

  // MARK: History

  private func history(
    _ filter: Request.HistoryFilter
  ) -> Result<[HistoryEntry], StoreError> {
    guard let connection else { return .failure(closed("read")) }
    do {
      return .success(try HistoryRow.read(filter, from: connection.database))
    } catch {
      return .failure(error)
    }
  }

  private func prune(before instant: Instant) -> StoreError? {
    do {
      let connection = try writable()
      try connection.transaction { () throws(StoreError) in
        try connection.database.execute(
          "DELETE FROM history WHERE at < \(instant.microseconds)",
          "prune"
        )
      }
      if connection.database.changes > 0 { hasChanged = true }
      return nil
    } catch {
      return error
    }
  }

  // MARK: Beginning and end

  /// Reads all alarms; see `Store.load`.
  func load(
    _ clocks: StoreClocks,
    _ body: (AlarmRecord) -> Void
  ) throws(StoreError) -> [String] {
    guard let connection else { throw closed("read") }
    let faults = try connection.load(clocks, body)
    connection.database.releaseMemory()
    return faults
  }

  /// Reads what programs are still to run.
  func owedIntents() throws(StoreError) -> OwedIntents {
    guard let connection else { throw closed("read") }
    return try IntentRow.read(from: connection.database)
  }

  /// How many alarms the store holds.
  func alarmCount() throws(StoreError) -> Int {
    guard let connection else { throw closed("read") }
    return try connection.database.integer("SELECT count(*) FROM alarms", "read")
  }

  /// Tries what is pending a last time, backs up if that is due, and lets go of everything.
  func close() {
    if let error = retry() {
      setup.warn("\(pending.count) changes are lost: \(error)")
    }
    if let connection, connection.unwritable == nil, isBackupDue(isEnd: true) {
      _ = renewBackup()
    }
    // SQLite moves the log into the file and removes it: the mark of an orderly end.
    connection = nil
    lock = nil
  }
}

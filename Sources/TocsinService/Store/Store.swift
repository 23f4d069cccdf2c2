import Glibc
package import TocsinEngine
package import TocsinModel
package import TocsinTime

/// Where alarms and their history survive a power cut: an SQLite file and its last good backup.
///
/// A thread of its own talks to SQLite, so that a slow card delays nobody; all that is queued while
/// one commit is under way goes into the next. Any thread may call anything here; what blocks says so.
package final class Store: Sendable {
  /// Where a store lives.
  package enum Location: Sendable, Hashable {
    /// In a file, with others of the same beginning beside it.
    case file(String)
    /// Nowhere: it ends with the process.
    case memory
  }

  /// What a person must know about how the store was opened, a sentence each: damage, a restored
  /// backup, a file that cannot be written.
  package let warnings: [String]
  /// The store's file, its directory free of symbolic links; nil in memory.
  package let path: String?

  private let queue: StoreQueue
  private let thread: StoreThread

  /// Opens a store, makes a new one, or brings the last backup back; takes the lock.
  ///
  /// - Parameters:
  ///   - location: a path, whose directory is made where it is absent, or memory.
  ///   - bootID: the id of this boot, stored with deadlines on the clock since boot.
  ///   - now: reads the wall clock, on any thread; for the names and age of backups only.
  ///   - warn: told on the store's thread, later, what a person must know.
  /// - Throws: `StoreError`: `locked` with the holder's process, `newer`, or why nothing could be
  ///   read or made. No store is ever left behind that was not there, and none overwritten.
  /// - Note: blocks; reads all of the file to check it, 40 ms for 100,000 alarms.
  package convenience init(
    _ location: Location,
    bootID: String,
    now: @escaping @Sendable () -> Instant = Store.wallClock,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) {
    try self.init(
      location,
      setup: StoreSetup(bootID: bootID, schema: .current, now: now, warn: warn)
    )
  }

  package init(_ location: Location, setup: StoreSetup) throws(StoreError) {
    let queue = StoreQueue()
    let worker: StoreWorker
    switch location {
    case .memory:
      let database = try Database(path: "", mode: .memory)
      try setup.schema.migrate(database, from: 0)
      worker = StoreWorker(
        setup: setup,
        files: nil,
        connection: try StoreConnection(database),
        lock: nil,
        publish: { queue.figures = $0 }
      )
      path = nil
      warnings = []
    case .file(let name):
      var files = StoreFiles(path: name)
      try files.prepareDirectory()
      let lock = try StoreLock(files)
      var opening = StoreOpening(files: files, schema: setup.schema, now: setup.now())
      let connection = try opening.open()
      worker = StoreWorker(
        setup: setup,
        files: files,
        connection: connection,
        lock: lock,
        publish: { queue.figures = $0 }
      )
      path = files.main
      warnings = opening.warnings
    }
    self.queue = queue
    thread = try StoreThread(worker, queue)
  }

  deinit {
    close()
  }

  /// Reads the wall clock of the system.
  package static let wallClock: @Sendable () -> Instant = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  /// Reads all alarms, in no particular order, after what was queued before.
  ///
  /// Deadlines on the clock since boot that another boot stored are found anew from the wall clock.
  ///
  /// - Returns: sentences about rows that cannot be understood. They stay in the table.
  /// - Throws: `StoreError` with `damaged` or `io`; `body` may have seen some alarms then.
  /// - Note: blocks; `body` runs on the calling thread and must not call the store.
  package func load(
    wallNow: Instant,
    bootNow: BootTime,
    _ body: (AlarmRecord) -> Void
  ) throws(StoreError) -> [String] {
    try queue.whileIdle { () throws(StoreError) in
      try thread.worker.load(
        StoreClocks(bootID: thread.worker.setup.bootID, wallNow: wallNow, bootNow: bootNow),
        body
      )
    }
  }

  /// Reads what programs are still to run, after what was queued before.
  ///
  /// - Throws: `StoreError` with `damaged` or `io`.
  /// - Note: blocks.
  package func owedIntents() throws(StoreError) -> OwedIntents {
    try queue.whileIdle { () throws(StoreError) in try thread.worker.owedIntents() }
  }

  /// How many alarms there are, to make room before they are loaded.
  ///
  /// - Throws: `StoreError` with `damaged` or `io`.
  /// - Note: blocks.
  package func alarmCount() throws(StoreError) -> Int {
    try queue.whileIdle { () throws(StoreError) in try thread.worker.alarmCount() }
  }

  /// Queues changes to be made durable, together or not at all.
  ///
  /// - Parameters:
  ///   - changes: are applied in their order.
  ///   - keepOnFailure: whether changes the disk refuses now wait for the next try, the newest of
  ///     each alarm; false for what a client is told has failed.
  ///   - completion: called on the store's thread when the changes would survive a power cut, or with
  ///     the reason why not; on the calling thread if the store is closed.
  package func commit(
    _ changes: [StoreChange],
    keepOnFailure: Bool = true,
    completion: StoreCompletion? = nil
  ) {
    let request = StoreRequest(
      changes: changes,
      keepsOnFailure: keepOnFailure,
      completion: completion
    )
    add(.commit(request), completion)
  }

  /// Lets changes wait for `wake`, so that those that come together share a commit.
  package func gather() { queue.gather() }

  /// Begins with what is queued, if the thread is at rest.
  package func wake() { queue.wake() }

  /// Tries again to store what was kept after a failure; does nothing if there is none.
  package func retry(completion: StoreCompletion? = nil) {
    add(.retry(completion), completion)
  }

  /// Reads the record, newest first, after what was queued before.
  package func history(
    _ filter: Request.HistoryFilter,
    completion: @escaping @Sendable (Result<[HistoryEntry], StoreError>) -> Void
  ) {
    add(.history(filter, completion)) { completion(.failure($0 ?? self.closed)) }
  }

  /// Deletes what the record holds from before an instant.
  package func prune(before instant: Instant, completion: StoreCompletion? = nil) {
    add(.prune(before: instant, completion), completion)
  }

  /// Writes a checked copy of the store to an absolute path, replacing what is there.
  package func backup(to path: String, completion: StoreCompletion? = nil) {
    add(.backup(path: path, completion), completion)
  }

  /// Does now what otherwise waits for a quiet moment: moves the log into the file, renews the
  /// backup if that is due, gives memory back.
  package func tidy(completion: StoreCompletion? = nil) {
    add(.tidy(completion), completion)
  }

  /// Whether changes wait to be tried again.
  package var hasPending: Bool { queue.figures.pending > 0 }

  /// What it has done so far.
  package var figures: StoreFigures { queue.figures }

  /// Stores what is queued, renews the backup if anything changed, and releases the lock.
  ///
  /// Closing twice does nothing. On the store's own thread, in a completion, it does not wait.
  ///
  /// - Note: blocks until all that is done.
  package func close() {
    guard queue.close() else { return }
    thread.join()
  }

  private var closed: StoreError {
    StoreError(.closed, "use", path: path ?? "", message: "it is closed")
  }

  private func add(_ job: StoreJob, _ completion: StoreCompletion?) {
    if !queue.add(job) { completion?(closed) }
  }
}

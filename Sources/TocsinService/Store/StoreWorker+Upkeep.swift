/// What the worker does beside its jobs: the log, the backups and the memory.
extension StoreWorker {
  /// Log pages from which a quiet moment is used to move them into the file: 2 MiB.
  static let quietLogPages = 512
  /// Log pages from which no quiet moment is waited for: 8 MiB.
  static let largestLogPages = 2_048

  /// What a page takes in the log, its header included.
  private static let frameBytes = 4_096 + 24

  /// Whether a quiet moment would be of use.
  var wantsQuiet: Bool {
    guard let connection, connection.unwritable == nil else { return false }
    return connection.logPages >= Self.quietLogPages || isBackupDue(isEnd: false)
  }

  /// Uses a quiet moment; called by the thread after `StoreSetup.quiet` without a job.
  func useQuiet() {
    figures.wakeUps += 1
    _ = tidy()
    publish(figures)
  }

  /// Moves the log into the file, renews the backup if that is due, and gives memory back.
  func tidy() -> StoreError? {
    checkpoint()
    let error = isBackupDue(isEnd: false) ? renewBackup() : nil
    connection?.database.releaseMemory()
    return error
  }

  func checkpoint() {
    guard let connection, connection.unwritable == nil, connection.logPages > 0 else { return }
    do {
      _ = try connection.database.checkpoint()
      connection.forgetLogPages()
      figures.checkpoints += 1
      publish(figures)
    } catch {
      // Nothing is lost: the log keeps it all, and the next quiet moment tries again.
      connection.forgetLogPages()
      setup.warn("\(error)")
    }
  }

  /// Makes more room in the log when little is left; it stays when the log is emptied.
  func makeLogRoom() {
    guard let files, let connection, connection.logPages > 0 else { return }
    guard (connection.logPages + 64) * Self.frameBytes > logRoom else { return }
    logRoom += LogRoom.step
    LogRoom.make(in: files.log, bytes: logRoom)
  }

  // MARK: Backups

  func isBackupDue(isEnd: Bool) -> Bool {
    guard let files, hasChanged else { return false }
    return BackupPolicy.isDue(
      changed: hasChanged,
      last: StoreFiles.modified(files.backup),
      now: setup.now(),
      size: StoreFiles.size(files.main) ?? 0,
      isEnd: isEnd
    )
  }

  func renewBackup() -> StoreError? {
    guard let files, let connection else { return nil }
    // After a failure, too, until something changes again: a full disk is not asked every second.
    hasChanged = false
    do {
      try StoreCopy.write(connection.database, to: files.backup, in: files)
      figures.backups += 1
      publish(figures)
      return nil
    } catch {
      setup.warn("the backup was not renewed: \(error)")
      return error
    }
  }

  func backup(to path: String) -> StoreError? {
    guard let connection else { return closed("back up") }
    guard path.hasPrefix("/"), files?.owns(path) != true else {
      return StoreError(
        .cannotOpen,
        "write the backup",
        path: path,
        message: "it must be an absolute path beside none of the store's own files"
      )
    }
    if let there = try? PinnedFile(path), !there.isRegular, !there.isLink {
      let message = "it is there and is not a file"
      return StoreError(.cannotOpen, "write the backup", path: path, message: message)
    }
    do {
      try StoreCopy.write(connection.database, to: path, in: files ?? StoreFiles(path: path))
      return nil
    } catch {
      return error
    }
  }
}

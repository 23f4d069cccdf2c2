package import TocsinTime

extension Store {
  /// Replaces a store by a copy of another file, while no daemon uses it.
  ///
  /// - Parameters:
  ///   - source: a backup, or any other store that nobody has open.
  ///   - path: the store; it need not be there.
  ///   - now: the wall clock, for the name of what was there before.
  /// - Returns: where the store that was there before is now; nil if there was none.
  /// - Throws: `StoreError` with `locked` if a daemon runs, `damaged` or `newer` about the source;
  ///   the store is as it was then.
  /// - Note: blocks; any thread.
  package static func restore(
    from source: String,
    to path: String,
    now: Instant = Store.wallClock()
  ) throws(StoreError) -> String? {
    var files = StoreFiles(path: path)
    try files.prepareDirectory()
    let lock = try StoreLock(files)
    try StoreCopy.stage(source, at: files, schema: .current)
    let isReplaced = StoreFiles.size(files.main) != nil || StoreFiles.size(files.log) != nil
    let aside = try files.moveAside(files.main, reason: "before-restore", now: now)
    try files.rename(files.unfinished, to: files.main)
    // Not before here: whoever gets the lock next finds the store in its place.
    _ = consume lock
    return isReplaced ? aside : nil
  }
}

package import TocsinTime

/// When the store renews its own backup.
///
/// A backup writes the whole store, so it is rare: SD cards wear out. It is made soon after the first
/// change of a store that has none, then at most once a day, and at an orderly end if anything
/// changed since. A store that nobody changes is not copied.
package struct BackupPolicy: Sendable {
  /// How old a backup may grow while things change.
  package static let interval = Duration.seconds(86_400)
  /// Above this size (bytes) the end does not wait for a backup that is younger than `interval`.
  package static let largestAtEnd = 32 * 1024 * 1024

  /// Whether to renew it now.
  ///
  /// - Parameters:
  ///   - changed: whether anything was stored since the last one.
  ///   - last: when the last one was made; nil if there is none.
  ///   - now: the wall clock.
  ///   - size: of the store, in bytes.
  ///   - isEnd: whether the store is about to be closed.
  /// - Returns: false where nothing changed, whatever the age.
  package static func isDue(
    changed: Bool,
    last: Instant?,
    now: Instant,
    size: Int,
    isEnd: Bool
  ) -> Bool {
    guard changed else { return false }
    guard let last else { return true }
    if isEnd, size <= largestAtEnd { return true }
    // A backup from the future tells of a clock that was wrong, not of a backup that is fresh.
    let age = now - last
    return age >= interval || age <= .zero - interval
  }
}

import TocsinModel
import TocsinTime

/// Called on the store's thread when a job is done; nil for success.
package typealias StoreCompletion = @Sendable (StoreError?) -> Void

/// One thing for the store's thread to do.
enum StoreJob: Sendable {
  case commit(StoreRequest)
  case history(
    Request.HistoryFilter,
    @Sendable (Result<[HistoryEntry], StoreError>) -> Void
  )
  case prune(before: Instant, StoreCompletion?)
  case backup(path: String, StoreCompletion?)
  case retry(StoreCompletion?)
  case tidy(StoreCompletion?)
}

/// Changes that are stored together or not at all.
struct StoreRequest: Sendable {
  var changes: [StoreChange]
  /// Whether they are tried again later if the disk refuses them now.
  var keepsOnFailure: Bool
  var completion: StoreCompletion?
}

/// What the store has done since it was opened, for status and tests.
package struct StoreFigures: Sendable, Hashable {
  /// Changes that wait to be tried again.
  package var pending = 0
  /// Requests that were made durable.
  package var commits = 0
  /// Transactions they took.
  package var transactions = 0
  /// Times the log was moved into the file.
  package var checkpoints = 0
  /// Times the backup was renewed.
  package var backups = 0
  /// Times the thread woke by itself.
  package var wakeUps = 0
  /// Why the last transaction failed; nil since one has succeeded.
  package var lastError: StoreError?
}

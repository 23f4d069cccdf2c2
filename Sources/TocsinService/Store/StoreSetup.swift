package import TocsinTime

/// What a store is told once, when it is opened.
package struct StoreSetup: Sendable {
  package var bootID: String
  package var schema: StoreSchema
  package var now: @Sendable () -> Instant
  package var warn: @Sendable (String) -> Void
  /// How long nothing must have come until the thread sees to log and backup.
  package var quiet = Duration.seconds(1)

  package init(
    bootID: String,
    schema: StoreSchema = .current,
    now: @escaping @Sendable () -> Instant = Store.wallClock,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.bootID = bootID
    self.schema = schema
    self.now = now
    self.warn = warn
  }
}

public import TocsinTime

/// A time in which some alarms are presented by nobody, by somebody's wish.
public struct Silence: Hashable, Sendable, Codable {
  /// A small number that tells it from the others.
  public var number: Int
  /// What it silences, as routes write it.
  public var match: String
  /// When it was asked for.
  public var since: Instant
  /// When it ends by itself.
  public var until: Instant
  /// Who asked for it.
  public var source: String

  package init(number: Int, match: String, since: Instant, until: Instant, source: String) {
    self.number = number
    self.match = match
    self.since = since
    self.until = until
    self.source = source
  }
}

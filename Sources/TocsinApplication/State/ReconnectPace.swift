/// How long to wait before the next try to reach a service: 0.1 s, doubling to 5 s.
struct ReconnectPace: Equatable {
  static let first: LinkMoment = 100_000
  private static let last: LinkMoment = 5_000_000
  /// The longest while a call waits: it has little time itself.
  private static let lastForCalls: LinkMoment = 1_000_000
  /// A connection that held for so long was a good one.
  private static let steady: LinkMoment = 5_000_000

  private var pause = ReconnectPace.first

  /// The next pause.
  mutating func next(isAwaited: Bool) -> LinkMoment {
    defer { pause = min(pause * 2, Self.last) }
    return isAwaited ? min(pause, Self.lastForCalls) : pause
  }

  /// A connection is lost: begins anew unless each lasts only a moment.
  mutating func lost(after time: LinkMoment) {
    if time >= Self.steady { pause = Self.first }
  }
}

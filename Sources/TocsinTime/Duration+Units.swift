extension Duration {
  /// The duration in whole microseconds, cut toward zero; stops at the ends of `Int64`.
  public var microseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    return product.addingSaturating(attoseconds / 1_000_000_000_000)
  }

  /// The duration in seconds, as the wire carries it.
  public var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The duration of that many seconds, to the nearest microsecond.
  ///
  /// Nil for NaN, an infinity or more than `Int64` microseconds (292,000 years), for which
  /// `Duration.seconds(_:)` traps: what comes off a socket may not stop a daemon.
  public init?(seconds: Double) {
    let microseconds = (seconds * 1_000_000).rounded()
    guard let exact = Int64(exactly: microseconds) else { return nil }
    self = .microseconds(exact)
  }
}

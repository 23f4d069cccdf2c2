/// Lengths of time as a countdown shows them and as a person says them.
package enum DurationText {
  /// Whole seconds left, rounded up, so that 0:00 is reached when the countdown is over.
  package static func secondsLeft(_ remaining: Duration) -> Int64 {
    guard remaining > .zero else { return 0 }
    // Ends are whole milliseconds, so a countdown of 3 s may have a fraction of one more to go.
    let (seconds, attoseconds) = max(remaining - .milliseconds(1), .nanoseconds(1)).components
    return attoseconds > 0 ? seconds + 1 : seconds
  }

  /// Such as `9:05` or `1:02:03`.
  package static func clock(_ seconds: Int64) -> String {
    let minutes = seconds / 60 % 60
    let rest = ":" + two(seconds % 60)
    return seconds < 3_600 ? "\(minutes)\(rest)" : "\(seconds / 3_600):\(two(minutes))\(rest)"
  }

  /// Such as `4 min late`; nil below two seconds.
  package static func late(_ seconds: Double) -> String? {
    guard seconds >= 2, let whole = Int64(exactly: seconds.rounded(.down)) else { return nil }
    return switch whole {
    case ..<60: "\(whole) s late"
    case ..<3_600: "\(whole / 60) min late"
    case ..<172_800: "\(whole / 3_600) h late"
    default: "\(whole / 86_400) days late"
    }
  }

  /// Seconds of the wire, which may be any number, as a duration within ten thousand years.
  package static func duration(_ seconds: Double) -> Duration {
    guard seconds == seconds else { return .zero }
    return .microseconds(Int64(min(max(seconds, -3e11), 3e11) * 1_000_000))
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import Glibc
package import TocsinTime

/// Times of day as a person near the machine reads them, in 24 hours.
package struct LocalTimeText {
  private let offsetSeconds: (Instant) -> Int64

  /// - Parameter offsetSeconds: seconds east of UTC in force at an instant.
  package init(offsetSeconds: @escaping (Instant) -> Int64) { self.offsetSeconds = offsetSeconds }

  /// UTC.
  package static var utc: LocalTimeText { LocalTimeText { _ in 0 } }

  /// The zone of the machine, as localtime_r(3) has it at the time of asking.
  package static var machine: LocalTimeText {
    LocalTimeText { instant in
      // localtime_r need not look for a changed zone by itself; tzset does, at the cost of a stat.
      tzset()
      var seconds = time_t(floorDivide(instant.microseconds, by: 1_000_000))
      var fields = tm()
      guard localtime_r(&seconds, &fields) != nil else { return 0 }
      return Int64(fields.tm_gmtoff)
    }
  }

  /// Such as `07:00:00`.
  package func withSeconds(_ instant: Instant) -> String {
    let second = secondOfDay(instant)
    return "\(hourAndMinute(second)):\(Self.two(second % 60))"
  }

  /// Such as `07:00`.
  package func withMinutes(_ instant: Instant) -> String { hourAndMinute(secondOfDay(instant)) }

  /// Such as `07:00` on the same day, `Sat 28 Nov 07:00` on another.
  package func withDay(_ instant: Instant, at now: Instant) -> String {
    let date = date(instant)
    guard date != self.date(now) else { return withMinutes(instant) }
    let month = Self.months[date.month - 1]
    return "\(date.weekday.title) \(date.day) \(month) \(withMinutes(instant))"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func date(_ instant: Instant) -> CivilDate {
    let seconds = Self.floorDivide(instant.microseconds, by: 1_000_000) + offsetSeconds(instant)
    return CivilDate(daysSince1970: Int32(clamping: Self.floorDivide(seconds, by: 86_400)))
  }

  private func secondOfDay(_ instant: Instant) -> Int64 {
    let seconds = Self.floorDivide(instant.microseconds, by: 1_000_000) + offsetSeconds(instant)
    return seconds - Self.floorDivide(seconds, by: 86_400) * 86_400
  }

  private func hourAndMinute(_ second: Int64) -> String {
    "\(Self.two(second / 3_600)):\(Self.two(second / 60 % 60))"
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }
}

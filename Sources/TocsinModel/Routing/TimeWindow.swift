package import TocsinTime

/// A part of some days: `22:00-07:00`, which ends on the next day, or `weekdays 8:00-17:30`.
package struct TimeWindow: Hashable, Sendable {
  /// The days on which it begins.
  package var days: WeekdaySet
  /// Seconds since midnight, 0..<86400.
  package var start: Int
  /// Seconds since midnight, exclusive, 0...86400; not after `start` means on the next day.
  package var end: Int

  package init(days: WeekdaySet, start: Int, end: Int) {
    self.days = days
    self.start = start
    self.end = end
  }

  /// Whether a moment of the wall clock is in it.
  ///
  /// - Parameters:
  ///   - day: the weekday.
  ///   - second: seconds since midnight.
  /// - Returns: whether it is; midnight belongs to the day that begins.
  package func contains(_ day: Weekday, _ second: Int) -> Bool {
    if start < end { return days.contains(day) && start <= second && second < end }
    if second >= start { return days.contains(day) }
    // Past midnight it is still the window of the day before.
    let before = Weekday(rawValue: (day.rawValue + 6) % 7) ?? day
    return second < end && days.contains(before)
  }
}

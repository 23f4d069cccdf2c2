package import TocsinTime

/// A `[route NAME]` section: which sinks present which alarms, and what is done when that fails.
package struct Route: Hashable, Sendable {
  /// Its name, which reasons give.
  package var name: String
  /// What it applies to.
  package var match = RouteMatch()
  /// When it applies, by the machine's wall clock; empty is always.
  package var between: [TimeWindow] = []
  /// Who presents; nil is every sink.
  package var to: [SinkTarget]?
  /// Whether the routes behind it are looked at too.
  package var continues = false
  /// Who presents as well if nothing audible was confirmed in time.
  package var fallback: [Step] = []
  /// Who presents as well if nobody answered in time.
  package var escalate: [Step] = []
  /// How long `to` waits.
  package var delay: Duration = .zero
  /// The loudest it may be, 0...1; nil leaves it as it is.
  package var quiet: Double?
  /// What holds its events back while something else rings.
  package var inhibit: [Inhibition] = []
  /// Whether what matches is presented by nobody.
  package var drop = false

  package init(name: String) { self.name = name }

  /// Sinks that join later.
  package struct Step: Hashable, Sendable {
    package var targets: [SinkTarget]
    /// Counted from the beginning of the alert.
    package var after: Duration

    package init(targets: [SinkTarget], after: Duration) {
      self.targets = targets
      self.after = after
    }
  }

  /// Sinks that are left out while something else is presented.
  package struct Inhibition: Hashable, Sendable {
    /// Who is left out; empty is everybody.
    package var targets: [SinkTarget]
    /// Of which of the route's events.
    package var subject: RouteMatch
    /// What has to be presented meanwhile, by another alarm; alerts unless it names an event.
    package var source: RouteMatch

    package init(targets: [SinkTarget], subject: RouteMatch, source: RouteMatch) {
      self.targets = targets
      self.subject = subject
      self.source = source
    }
  }
}

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

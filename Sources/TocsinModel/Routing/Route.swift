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
  /// Who presents as well if nothing audible was confirmed in time; the earliest first.
  package var fallback: [Step] = []
  /// Who presents as well if nobody answered in time; the earliest first.
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
    /// Who joins; empty is every sink.
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
    /// What has to be presented meanwhile, by another alarm; plugins.conf means alerts unless it
    /// names an event.
    package var source: RouteMatch

    package init(targets: [SinkTarget], subject: RouteMatch, source: RouteMatch) {
      self.targets = targets
      self.subject = subject
      self.source = source
    }
  }
}

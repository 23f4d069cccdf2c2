package import TocsinModel
import TocsinTime

/// What the routes say about one event: who presents it, and who joins later.
struct RoutePlan: Hashable, Sendable {
  /// The routes that apply, in their order; with none of them every sink presents.
  var routes: [String] = []
  var initial: [Assignment] = []
  var fallback: [Step] = []
  var escalate: [Step] = []
  var inhibitions: [Inhibition] = []
  /// The route that drops it, if nobody else presents it.
  var droppedBy: String?

  /// A sink that is asked, by which route, and how.
  struct Assignment: Hashable, Sendable {
    /// nil is every sink.
    var target: SinkTarget?
    var limit: Double?
    /// Microseconds from the beginning of the alert.
    var after: Int64 = 0
    var route: String?
  }

  /// Sinks that join later.
  struct Step: Hashable, Sendable {
    var assignments: [Assignment]
    /// Microseconds from the beginning of the alert.
    var after: Int64
    var route: String
  }

  /// What holds it back from some sinks while something else rings.
  struct Inhibition: Hashable, Sendable {
    /// Empty is every sink.
    var targets: [SinkTarget]
    var source: RouteMatch
    var route: String
  }
}

/// The `[route]` sections in their order.
package struct Routes: Hashable, Sendable {
  package var all: [Route]

  package init(_ all: [Route] = []) { self.all = all }

  /// What holds for an event: the first route that fits, and those behind it while they `continue`.
  ///
  /// - Parameters:
  ///   - subject: the event.
  ///   - at: when it happens.
  ///   - zone: the machine's; without one no route with `between` fits.
  /// - Returns: who presents it, and who joins later.
  func plan(_ subject: RouteSubject, at: Instant, zone: Zone?) -> RoutePlan {
    var plan = RoutePlan()
    var dropped: String?
    for route in all where route.match.matches(subject) && route.isInForce(at, zone) {
      plan.routes.append(route.name)
      plan.take(route, subject)
      if route.drop { dropped = dropped ?? route.name }
      if !route.continues { break }
    }
    if plan.routes.isEmpty { plan.initial = [RoutePlan.Assignment()] }
    if plan.initial.isEmpty { plan.droppedBy = dropped }
    plan.fallback.sort { $0.after < $1.after }
    plan.escalate.sort { $0.after < $1.after }
    return plan
  }
}

extension RoutePlan {
  fileprivate mutating func take(_ route: Route, _ subject: RouteSubject) {
    guard !route.drop else { return }
    let delay = route.delay.microseconds
    initial += Self.assignments(route.to ?? [], route, limit: route.quiet, after: delay)
    fallback += route.fallback.map { step($0, route) }
    escalate += route.escalate.map { step($0, route) }
    inhibitions += route.inhibit.filter { $0.subject.matches(subject) }.map {
      Inhibition(targets: $0.targets, source: $0.source, route: route.name)
    }
  }

  private func step(_ step: Route.Step, _ route: Route) -> Step {
    Step(
      assignments: Self.assignments(step.targets, route),
      after: step.after.microseconds,
      route: route.name
    )
  }

  private static func assignments(
    _ targets: [SinkTarget],
    _ route: Route,
    limit: Double? = nil,
    after: Int64 = 0
  ) -> [Assignment] {
    guard !targets.isEmpty else {
      return [Assignment(target: nil, limit: limit, after: after, route: route.name)]
    }
    return targets.map {
      Assignment(target: $0, limit: limit, after: after, route: route.name)
    }
  }
}

extension Route {
  fileprivate func isInForce(_ at: Instant, _ zone: Zone?) -> Bool {
    guard !between.isEmpty else { return true }
    guard let local = zone?.local(at: at) else { return false }
    let second = local.time.secondOfDay
    return between.contains { $0.contains(local.date.weekday, second) }
  }
}

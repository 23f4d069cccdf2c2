package import TocsinModel
package import TocsinTime

/// Where an alarm would go, without anything happening.
extension Router {
  /// What would happen to an alert, step by step, if nobody confirmed and nobody answered.
  ///
  /// - Parameters:
  ///   - subject: the alert.
  ///   - at: when it would ring.
  ///   - zone: the machine's.
  ///   - ringFor: microseconds until it ends unanswered; 0 for never.
  ///   - snooze: the length of a snooze by itself in microseconds; nil if it does not snooze itself.
  /// - Returns: the steps in the order of their times.
  package func steps(
    for subject: RouteSubject,
    at: Instant,
    zone: Zone?,
    ringFor: Int64,
    snooze: Int64?
  ) -> [RouteStep] {
    let plan = routes.plan(subject, at: at, zone: zone)
    if let reason = reasonToWithhold(subject, plan, at) {
      return [RouteStep(at: at, kind: .withheld, sinks: [], why: reason)]
    }
    let application = subject.application
    var steps = alerts(plan, at, application)
    for step in plan.fallback {
      let why =
        "[route \(step.route)] if nothing audible is confirmed in "
        + "\(ValueText.describe(step.after)), or all that can be heard fail"
      steps.append(self.step(.fallback, at, step, why, application))
    }
    let delay = plan.initial.map(\.after).max() ?? 0
    let report = max(delay, plan.fallback.last?.after ?? 0) + Rule.report
    steps.append(
      RouteStep(
        at: at.advanced(byMicroseconds: report),
        kind: .report,
        sinks: names(of: [RoutePlan.Assignment()], application),
        why: "if nobody has confirmed it: reported as critical, and every sink is asked"
      )
    )
    for step in plan.escalate {
      let why = "[route \(step.route)] if nobody has answered in \(ValueText.describe(step.after))"
      steps.append(self.step(.escalate, at, step, why, application))
    }
    steps += end(subject, at, ringFor, snooze)
    return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private func reasonToWithhold(
    _ subject: RouteSubject,
    _ plan: RoutePlan,
    _ at: Instant
  ) -> String? {
    if let route = plan.droppedBy { return "[route \(route)] drops it" }
    let standing = silences.first { $0.silence.until > at && $0.match.matches(subject) }
    return standing.map {
      "silenced by \($0.silence.source): \($0.silence.match), until \($0.silence.until.rfc3339)"
    }
  }

  private func alerts(
    _ plan: RoutePlan,
    _ at: Instant,
    _ application: String?
  ) -> [RouteStep] {
    let delays = Set(plan.initial.map(\.after)).sorted()
    var steps: [RouteStep] = []
    for delay in delays {
      let assignments = plan.initial.filter { $0.after == delay }
      let targets = resolve(assignments, of: application)
      let all = resolve([RoutePlan.Assignment()], of: application)
      let isLost = delays == [0] && !isReachable(targets) && !all.isEmpty
      let asked = isLost ? all : targets
      let routes = assignments.compactMap(\.route)
      var why = reason(Set(routes).sorted())
      if delay > 0 { why += ", after its delay of \(ValueText.describe(delay))" }
      if isLost { why += ", but no sink of it is there, so all present it" }
      why += obstacles(plan) + absences(asked)
      // One line for those that are asked alike, whatever parts of them.
      for limit in asked.isEmpty ? [nil] : Set(asked.map(\.share.limit)).sorted(by: isLouder) {
        steps.append(
          RouteStep(
            at: at.advanced(byMicroseconds: delay),
            kind: .alert,
            sinks: asked.filter { $0.share.limit == limit }.flatMap { names($0.sink, $0.share) },
            volumeLimit: limit,
            why: why
          )
        )
      }
    }
    return steps
  }

  private func isLouder(_ left: Double?, _ right: Double?) -> Bool {
    (left ?? 2) > (right ?? 2)
  }

  /// Which of them are not there, and why.
  private func absences(_ asked: [(sink: SinkID, share: Share)]) -> String {
    asked.map { id, _ in
      guard case .failed(let reason) = sinks[id]?.condition else { return "" }
      return "; \(id.name) does not run: \(reason)"
    }.joined()
  }

  private func reason(_ routes: [String]) -> String {
    guard !routes.isEmpty else { return "no route fits, so every sink presents it" }
    let fits = routes.map { name in
      let match = self.routes.all.first { $0.name == name }?.match.description ?? ""
      return "[route \(name)] fits: \(match)"
    }
    return fits.joined(separator: "; ")
  }

  private func obstacles(_ plan: RoutePlan) -> String {
    plan.inhibitions.map { inhibition in
      let who =
        inhibition.targets.isEmpty
        ? "it" : inhibition.targets.map(\.description).joined(separator: ", ")
      return "; \(who) held back while \(inhibition.source) rings"
    }.joined()
  }

  private func step(
    _ kind: RouteStep.Kind,
    _ at: Instant,
    _ step: RoutePlan.Step,
    _ why: String,
    _ application: String?
  ) -> RouteStep {
    RouteStep(
      at: at.advanced(byMicroseconds: step.after),
      kind: kind,
      sinks: names(of: step.assignments, application),
      why: why
    )
  }

  private func end(
    _ subject: RouteSubject,
    _ at: Instant,
    _ ringFor: Int64,
    _ snooze: Int64?
  ) -> [RouteStep] {
    guard ringFor > 0 else { return [] }
    let end = at.advanced(byMicroseconds: ringFor)
    let unanswered = "if nobody has answered in \(ValueText.describe(ringFor))"
    guard subject.kind == .alarm, let snooze else {
      return [RouteStep(at: end, kind: .missed, sinks: [], why: "\(unanswered): it ends")]
    }
    let again = "it snoozes itself for \(ValueText.describe(snooze)) and rings again"
    return [RouteStep(at: end, kind: .snooze, sinks: [], why: "\(unanswered): \(again)")]
  }

  private func names(
    of assignments: [RoutePlan.Assignment],
    _ application: String?
  ) -> [String] {
    resolve(assignments, of: application).flatMap { names($0.sink, $0.share) }
  }

  private func names(_ id: SinkID, _ share: Share) -> [String] {
    share.parts.map { $0.map { "\(id.name).\($0)" } } ?? [id.name]
  }
}

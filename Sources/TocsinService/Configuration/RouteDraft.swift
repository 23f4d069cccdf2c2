import TocsinModel

/// A `[route NAME]` section while it is read: the route, and where the targets of a value stand.
struct RouteDraft: Sendable {
  /// A sink that a value names, and where.
  struct Mention: Hashable, Sendable {
    var target: SinkTarget
    /// In characters from the start of the value.
    var offset: Int
  }

  var route: Route
  private var mentions: [Mention] = []

  init(name: String) { route = Route(name: name) }

  /// The targets that were read since this was asked last.
  mutating func takeTargets() -> [Mention] {
    defer { mentions = [] }
    return mentions
  }

  fileprivate mutating func note(_ found: [Mention]) -> [SinkTarget] {
    mentions += found
    return found.map(\.target)
  }
}

extension RouteDraft {
  /// The keys of `[route NAME]`; ranges of durations in seconds.
  static let keys: [ConfigurationKey<RouteDraft>] = [
    key("match", "terms, or all", "all") { (text, draft) throws(ValueText.Unreadable) in
      draft.route.match = try RouteMatch(text)
    },
    key("between", "parts of days, or always", "always") {
      (text, draft) throws(ValueText.Unreadable) in
      draft.route.between = text == "always" ? [] : try RouteText.windows(text)
    },
    key("to", "sinks, or all", "all") {
      (text, draft) throws(ValueText.Unreadable) in
      let targets = draft.note(try RouteText.targets(try ValueText.items(text)))
      draft.route.to = targets.isEmpty ? nil : targets
    },
    .flag("continue", fallback: false, \.route.continues),
    steps("fallback", 0...3_600, \.route.fallback),
    steps("escalate", 1...86_400, \.route.escalate),
    .duration("delay", 0...3_600, fallback: 0, \.route.delay),
    key("quiet", "1% to 100%, or none", "none") { (text, draft) throws(ValueText.Unreadable) in
      draft.route.quiet = text == "none" ? nil : try RouteText.volumeLimit(text)
    },
    key("inhibit", "sinks or terms, while terms, or none", "none") {
      (text, draft) throws(ValueText.Unreadable) in
      guard text != "none" else {
        draft.route.inhibit = []
        return
      }
      draft.route.inhibit = try RouteText.inhibitions(text).map {
        Route.Inhibition(targets: draft.note($0.targets), subject: $0.subject, source: $0.source)
      }
    },
    .flag("drop", fallback: false, \.route.drop),
  ]

  private static func key(
    _ name: String,
    _ values: String,
    _ fallback: String,
    _ read: @escaping @Sendable (String, inout RouteDraft) throws(ValueText.Unreadable) -> Void
  ) -> ConfigurationKey<RouteDraft> {
    ConfigurationKey(name: name, values: values, fallback: fallback, read: read)
  }

  private static func steps(
    _ name: String,
    _ range: ClosedRange<Int64>,
    _ path: any WritableKeyPath<RouteDraft, [Route.Step]> & Sendable
  ) -> ConfigurationKey<RouteDraft> {
    let limits = ConfigurationKey<RouteDraft>.describe(range)
    return key(name, "sinks after \(limits), or none", "none") {
      (text, draft) throws(ValueText.Unreadable) in
      var steps: [Route.Step] = []
      for step in text == "none" ? [] : try RouteText.steps(text, range) {
        steps.append(Route.Step(targets: draft.note(step.targets), after: step.after))
      }
      // Swift's sort keeps the order of equals, but does not promise it.
      draft[keyPath: path] = steps.enumerated().sorted {
        ($0.element.after, $0.offset) < ($1.element.after, $1.offset)
      }.map(\.element)
    }
  }
}

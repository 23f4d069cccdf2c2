import TocsinModel

/// What only all sections together tell of routes: whom they name that is not there, and which of
/// them nothing ever reaches.
struct RouteSections {
  private var routes: [(route: Route, section: INIText.Section, isRead: Bool)] = []
  private var targets: [(target: SinkTarget, key: String, place: INIText.Place)] = []

  /// Takes the targets that a value names.
  mutating func add(_ mentions: [RouteDraft.Mention], of entry: INIText.Entry) {
    for mention in mentions {
      var place = entry.valuePlace
      place.column += mention.offset
      targets.append((mention.target, entry.key, place))
    }
  }

  /// Takes a section, in the order in which routes are looked at; of one that could not all be read
  /// nobody knows what it takes.
  mutating func add(_ route: Route, _ section: INIText.Section, isRead: Bool) {
    routes.append((route, section, isRead))
  }

  /// Says what is wrong, given the names of all plugins, also those switched off.
  func problems(plugins: [String]) -> [ConfigurationError.Problem] {
    let unknown = targets.filter { !plugins.contains($0.target.sink) }.map { mention in
      let near = suggestion(for: mention.target.sink, among: plugins)
      return ConfigurationError.Problem(
        mention.place,
        "\(mention.key): there is no [plugin \(mention.target.sink)]\(near.isEmpty ? "." : near)"
          + " A sink that joins by itself needs a section with enabled = no"
      )
    }
    return unknown + routes.flatMap { contradictions($0.route, $0.section) } + unreachable
  }

  /// What a route that drops says beside that, for nobody.
  private func contradictions(
    _ route: Route,
    _ section: INIText.Section
  ) -> [ConfigurationError.Problem] {
    guard route.drop else { return [] }
    let pointless: [(key: String, isSet: Bool)] = [
      ("to", route.to != nil), ("continue", route.continues),
      ("fallback", !route.fallback.isEmpty), ("escalate", !route.escalate.isEmpty),
      ("delay", route.delay != .zero), ("quiet", route.quiet != nil),
      ("inhibit", !route.inhibit.isEmpty),
    ]
    return section.entries.compactMap { entry in
      guard pointless.contains(where: { $0.isSet && $0.key == entry.key }) else { return nil }
      return ConfigurationError.Problem(
        entry.place,
        "\(entry.key) has no meaning where drop = yes lets nobody present, take one of them out"
      )
    }
  }

  /// Everything behind the first route that takes all events at all times.
  private var unreachable: [ConfigurationError.Problem] {
    let last = routes.firstIndex {
      $0.isRead && $0.route.match.terms.isEmpty && $0.route.between.isEmpty && !$0.route.continues
    }
    guard let last else { return [] }
    let (earlier, section, _) = routes[last]
    return routes[(last + 1)...].map {
      let file = section.place.file
      let line = "line \(section.place.line)" + ($0.section.place.file == file ? "" : " of \(file)")
      return ConfigurationError.Problem(
        $0.section.place,
        "[route \($0.route.name)] is never reached: [route \(earlier.name)] in \(line) takes"
          + " everything, give that a match, a between or continue = yes, or put it last"
      )
    }
  }
}

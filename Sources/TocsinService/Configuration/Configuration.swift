package import TocsinModel

/// What plugins.conf says, checked; drop-ins are already merged.
package struct Configuration: Hashable, Sendable {
  /// The `[daemon]` section.
  package var daemon = DaemonSettings()
  /// The `[access]` section.
  package var access = AccessSettings()
  /// The plugins in the order they first appear, also those switched off.
  package var plugins: [PluginSettings] = []
  /// The routes in the order they first appear.
  package var routes: [Route] = []

  /// A file's text under the name that errors give it.
  package struct Source: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  package init() {}

  /// Reads the files in order; where two set the same key of the same section, the later wins, and an
  /// empty value takes a key back.
  ///
  /// - Throws: all problems of all files together.
  package init(_ sources: [Source]) throws(ConfigurationError) {
    var merger = ConfigurationMerger()
    for source in sources {
      merger.add(INIText(source.text, file: source.name), file: source.name)
    }
    self = try merger.finish()
  }
}

/// Puts the files' sections together and reads their values.
private struct ConfigurationMerger {
  private var sections: [INIText.Section] = []
  private var problems: [ConfigurationError.Problem] = []
  private var files: [String: Int] = [:]
  private var routes = RouteSections()

  mutating func add(_ text: INIText, file: String) {
    files[file] = files.count
    problems += text.problems
    var seen: [String: Int] = [:]
    for section in text.sections {
      guard check(section) else { continue }
      let title = "\(section.kind) \(section.name)"
      if let line = seen.updateValue(section.place.line, forKey: title) {
        problems.append(
          .init(section.place, "[\(title.trimmedAtEnd)] is in line \(line) already")
        )
        continue
      }
      if let index = sections.firstIndex(where: {
        $0.kind == section.kind && $0.name == section.name
      }) {
        merge(section, into: index)
      } else {
        sections.append(section)
      }
    }
  }

  private mutating func check(_ section: INIText.Section) -> Bool {
    switch section.kind {
    case "daemon", "access":
      guard section.name.isEmpty else {
        problems.append(.init(section.place, "[\(section.kind)] has no name"))
        return false
      }
    case "plugin", "route":
      guard !section.name.isEmpty else {
        problems.append(
          .init(section.place, "[\(section.kind)] needs a name: [\(section.kind) NAME]")
        )
        return false
      }
      if section.kind == "plugin", section.name == "all" {
        problems.append(
          .init(section.place, "all is every sink to routes, give this plugin another name")
        )
        return false
      }
    default:
      let near = suggestion(for: section.kind, among: ["daemon", "access", "plugin", "route"])
      problems.append(.init(section.place, "unknown section \(section.kind)\(near)"))
      return false
    }
    return true
  }

  private mutating func merge(_ section: INIText.Section, into index: Int) {
    for entry in section.entries {
      if let old = sections[index].entries.firstIndex(where: { $0.key == entry.key }) {
        sections[index].entries[old] = entry
      } else {
        sections[index].entries.append(entry)
      }
    }
  }

  mutating func finish() throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    for section in sections {
      switch section.kind {
      case "daemon": readDaemon(section, &configuration.daemon)
      case "access": readAccess(section, &configuration.access)
      case "plugin": configuration.plugins.append(readPlugin(section))
      default: configuration.routes.append(readRoute(section))
      }
    }
    problems += routes.problems(plugins: configuration.plugins.map(\.name))
    guard problems.isEmpty else {
      let order = { [files] (problem: ConfigurationError.Problem) in
        (files[problem.file] ?? 0, problem.line, problem.column)
      }
      throw ConfigurationError(problems: problems.sorted { order($0) < order($1) })
    }
    return configuration
  }

  private mutating func readDaemon(
    _ section: INIText.Section,
    _ settings: inout DaemonSettings
  ) {
    for entry in section.entries {
      guard let key = DaemonSettings.keys.first(where: { $0.name == entry.key }) else {
        let isPluginKey = PluginSettings.keys.contains { $0.name == entry.key }
        let hint =
          isPluginKey
          ? ", it belongs into a [plugin NAME] section"
          : suggestion(for: entry.key, among: DaemonSettings.keys.map(\.name))
        problems.append(.init(entry.place, "unknown key \(entry.key) in [daemon]\(hint)"))
        continue
      }
      read(entry, key, &settings)
    }
  }

  private mutating func readAccess(
    _ section: INIText.Section,
    _ settings: inout AccessSettings
  ) {
    for entry in section.entries {
      guard let key = AccessSettings.keys.first(where: { $0.name == entry.key }) else {
        let near = suggestion(for: entry.key, among: AccessSettings.keys.map(\.name))
        problems.append(.init(entry.place, "unknown key \(entry.key) in [access]\(near)"))
        continue
      }
      read(entry, key, &settings)
    }
  }

  private mutating func readPlugin(_ section: INIText.Section) -> PluginSettings {
    var settings = PluginSettings(name: section.name, run: [])
    for entry in section.entries {
      if let key = PluginSettings.keys.first(where: { $0.name == entry.key }) {
        read(entry, key, &settings)
      } else if !entry.value.isEmpty {
        note(entry) { () throws(ValueText.Unreadable) in
          settings.settings[entry.key] = try ValueText.text(entry.value)
        }
      }
    }
    problems += PluginSettings.contradictions(in: section, settings)
    let starts = { (key: String) in key == "run" || key.hasPrefix("run-on-") }
    if !section.entries.contains(where: { starts($0.key) && !$0.value.isEmpty }) {
      let near = section.entries.map(\.key).first { !suggestion(for: $0, among: ["run"]).isEmpty }
      let hint = near.map { ", is \($0) meant to be run?" } ?? ", write run = PROGRAM"
      problems.append(.init(section.place, "[plugin \(section.name)] has no run\(hint)"))
    }
    return settings
  }

  private mutating func readRoute(_ section: INIText.Section) -> Route {
    var draft = RouteDraft(name: section.name)
    let found = problems.count
    for entry in section.entries where !entry.value.isEmpty {
      guard let key = RouteDraft.keys.first(where: { $0.name == entry.key }) else {
        let near = suggestion(for: entry.key, among: RouteDraft.keys.map(\.name))
        problems.append(
          .init(entry.place, "unknown key \(entry.key) in [route \(section.name)]\(near)")
        )
        continue
      }
      read(entry, key, &draft)
      routes.add(draft.takeTargets(), of: entry)
    }
    routes.add(draft.route, section, isRead: problems.count == found)
    return draft.route
  }

  private mutating func read<Settings>(
    _ entry: INIText.Entry,
    _ key: ConfigurationKey<Settings>,
    _ settings: inout Settings
  ) {
    guard !entry.value.isEmpty else { return }
    note(entry) { () throws(ValueText.Unreadable) in try key.read(entry.value, &settings) }
  }

  private mutating func note(
    _ entry: INIText.Entry,
    _ body: () throws(ValueText.Unreadable) -> Void
  ) {
    do {
      try body()
    } catch {
      var place = entry.valuePlace
      place.column += error.offset
      problems.append(.init(place, "\(entry.key): \(error.message)"))
    }
  }
}

extension String {
  fileprivate var trimmedAtEnd: Substring { self[...].trimmed }
}

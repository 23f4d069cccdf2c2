import TocsinModel

/// Programs that run once for an event, instead of one that runs all the time: keys of a
/// `[plugin NAME]` section.
package struct HookSettings: Hashable, Sendable {
  /// An event that a program can be run on.
  package enum Event: String, CaseIterable, Sendable {
    case alert, countdown, paused, cleared, missed, notice

    /// The key that names its program.
    var key: String { "run-on-\(rawValue)" }
  }

  /// The program and its arguments for each event that has one; none for a plugin that runs.
  package var commands: [Event: [String]] = [:]
  /// How long one run may take.
  package var timeLimit: Duration = .seconds(30)
  /// How many may run at a time.
  package var atOnce = 4
  /// Whether what they do is heard by a person asleep.
  package var isAudible = false

  package init() {}
}

extension PluginSettings {
  /// Whether programs are run for it, instead of one that runs all the time.
  package var isHook: Bool { !hook.commands.isEmpty }

  /// How long it may take to confirm an alert.
  package var confirmationTime: Duration { isHook ? hook.timeLimit : receiptTimeout }

  /// The keys of `[plugin NAME]` for programs that run once.
  static let hookKeys: [ConfigurationKey<PluginSettings>] =
    HookSettings.Event.allCases.map(command) + [
      .duration("time-limit", 1...600, fallback: 30, \.hook.timeLimit),
      .integer("at-once", 1...64, fallback: 4, \.hook.atOnce),
      .flag("audible", fallback: false, \.hook.isAudible),
    ]

  /// The keys that mean nothing for programs that run once.
  private static let runningKeys: Set = ["run", "stdout", "ping", "receipt-timeout"]

  private static func command(_ event: HookSettings.Event) -> ConfigurationKey<PluginSettings> {
    ConfigurationKey(name: event.key, values: "a program and its arguments", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      guard text != "none" else { return }
      let words = try text.hasPrefix("[") ? texts(text) : ValueText.arguments(text)
      guard words.first?.isEmpty == false else {
        throw ValueText.Unreadable(message: "it names no program")
      }
      settings.hook.commands[event] = words
    }
  }

  private static func texts(_ text: String) throws(ValueText.Unreadable) -> [String] {
    do {
      return try JSONLine.decode([String].self, from: Array(text.utf8))
    } catch {
      throw ValueText.Unreadable(
        message: "not a list of texts, write [\"/usr/bin/curl\", \"-d\", \"@-\"] or words without ["
      )
    }
  }

  /// What in a section does not go together with the rest of it, as sentences.
  static func contradictions(
    in section: INIText.Section,
    _ settings: PluginSettings
  ) -> [ConfigurationError.Problem] {
    let name = "[plugin \(section.name)]"
    let entries = section.entries.filter { !$0.value.isEmpty }
    let hookNames = hookKeys.map(\.name)
    let hookEntries = entries.filter { hookNames.contains($0.key) }
    guard settings.isHook else {
      guard entries.contains(where: { $0.key == "run" }) else { return [] }
      return hookEntries.map {
        .init($0.place, "\($0.key) is for programs that run once, and \(name) has run")
      }
    }
    return entries.compactMap { entry in
      if entry.key == "run" {
        let other = hookEntries.first { $0.key.hasPrefix("run-on-") }?.key ?? "run-on-alert"
        return .init(entry.place, "\(name) has \(other) too, take it or run away")
      }
      if runningKeys.contains(entry.key) {
        return .init(
          entry.place,
          "\(entry.key) is for a program that keeps running, and \(name) has run-on-… instead of run"
        )
      }
      guard !keys.contains(where: { $0.name == entry.key }) else { return nil }
      let near = suggestion(for: entry.key, among: keys.map(\.name))
      return .init(
        entry.place,
        "unknown key \(entry.key) in \(name), whose programs take none\(near)"
      )
    }
  }
}

extension HookSettings {
  /// The section's lines, as plugins.conf would have them.
  var lines: [String] {
    Event.allCases.compactMap { event in
      commands[event].map {
        "\(event.key) = \($0.map(ValueText.quoted).joined(separator: " "))"
      }
    } + [
      "time-limit = \(ValueText.describe(timeLimit.microseconds))", "at-once = \(atOnce)",
      "audible = \(isAudible ? "yes" : "no")",
    ]
  }
}

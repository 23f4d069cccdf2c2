import TocsinModel

/// What a plugin's process may do and see: keys of its `[plugin NAME]` section.
package struct SandboxSettings: Hashable, Sendable {
  /// The user it runs as, with that user's groups; nil for the daemon's own.
  package var user: String?
  /// What of the daemon's environment it gets, and what else.
  package var environment = EnvironmentRule()
  /// Whether the store's files are hidden from it.
  package var hidesStore = true
  /// Whether set-user-ID programs and the like give it no rights.
  package var hasNoNewPrivileges = true
  /// How many descriptors it may have open.
  package var fileLimit = 1024
  /// How many bytes of address space it may have; nil for any.
  package var memoryLimit: Int64?
  /// How many processes its user may have; nil for any.
  package var processLimit: Int?

  package init() {}
}

/// The variables a plugin gets: `usual, KEY, NAME=VALUE`, with `none` first for nothing else.
package struct EnvironmentRule: Hashable, Sendable {
  /// Whether it gets what presenting needs beside what is named here.
  package var hasUsual = true
  /// What is named, in order.
  package var items: [Item] = []

  /// One variable.
  package struct Item: Hashable, Sendable {
    package var name: String
    /// Its value; nil for the one that the daemon has.
    package var value: String?
  }

  package init() {}

  /// Reads a list; the first item may be `usual`, which is also what holds without it, or `none`.
  init(_ text: String) throws(ValueText.Unreadable) {
    var words = try ValueText.list(text)[...]
    if let first = words.first, first == "none" || first == "usual" {
      hasUsual = first == "usual"
      words.removeFirst()
    }
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard Self.isName(parts[0]) else {
        throw ValueText.Unreadable(
          message: "\(parts[0]) is not a variable's name, write NAME or NAME=VALUE"
        )
      }
      guard parts.count == 2 || !["none", "usual"].contains(parts[0]) else {
        throw ValueText.Unreadable(message: "\(parts[0]) stands first or not at all")
      }
      items.append(Item(name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil))
    }
  }

  /// The list as `init(_:)` reads it.
  var written: String {
    let words = items.map { item in
      guard let value = item.value else { return item.name }
      let quoted = "\(item.name)=\(value)".map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }
      return "\"\(quoted.joined())\""
    }
    return ([hasUsual ? "usual" : "none"] + words).joined(separator: ", ")
  }

  private static func isName(_ text: Substring) -> Bool {
    guard let first = text.first, !first.isNumber else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}

extension PluginSettings {
  /// The keys of `[plugin NAME]` that say what its process may do and see.
  static let sandboxKeys: [ConfigurationKey<PluginSettings>] = [
    ConfigurationKey(name: "user", values: "the name of a user, or none", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.sandbox.user = text == "none" ? nil : try ValueText.text(text)
    },
    ConfigurationKey(
      name: "environment",
      values: "usual or none, NAME, NAME=VALUE",
      fallback: "usual"
    ) { (text, settings) throws(ValueText.Unreadable) in
      settings.sandbox.environment = try EnvironmentRule(text)
    },
    .flag("hide-store", fallback: true, \.sandbox.hidesStore),
    .flag("no-new-privileges", fallback: true, \.sandbox.hasNoNewPrivileges),
    .integer("file-limit", 16...1_048_576, fallback: 1024, \.sandbox.fileLimit),
    ConfigurationKey(name: "memory-limit", values: "1M to 1024G, or none", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.sandbox.memoryLimit = try readMemory(text)
    },
    ConfigurationKey(name: "process-limit", values: "1 to 1000000, or none", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.sandbox.processLimit =
        text == "none"
        ? nil : try ConfigurationKey<PluginSettings>.readInteger(text, 1...1_000_000)
    },
  ]

  @Sendable private static func readMemory(
    _ text: String
  ) throws(ValueText.Unreadable) -> Int64? {
    if text == "none" { return nil }
    let value = try ValueText.size(text)
    guard value >= 1 << 20, value <= 1 << 40 else {
      throw ValueText.Unreadable(message: "\(text) is outside of 1M to 1024G")
    }
    return value
  }
}

extension SandboxSettings {
  /// The section's lines, as plugins.conf would have them.
  var lines: [String] {
    let flag = { (isOn: Bool) in isOn ? "yes" : "no" }
    var lines: [String] = []
    if let user { lines.append("user = \(user)") }
    lines += [
      "environment = \(environment.written)",
      "hide-store = \(flag(hidesStore))", "no-new-privileges = \(flag(hasNoNewPrivileges))",
      "file-limit = \(fileLimit)",
      "memory-limit = \(memoryLimit.map(ValueText.describeSize) ?? "none")",
      "process-limit = \(processLimit.map(String.init) ?? "none")",
    ]
    return lines
  }
}

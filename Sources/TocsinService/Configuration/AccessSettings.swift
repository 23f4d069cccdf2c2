package import TocsinModel

/// The `[access]` section: which programs may set alarms.
package struct AccessSettings: Hashable, Sendable {
  /// What holds for those that stand in neither list.
  package var fallback: Rule = .allow
  /// The names of programs that may.
  package var allow: [Glob] = []
  /// The names of programs that may not, whatever else fits.
  package var deny: [Glob] = []

  /// What a program may do that is named nowhere.
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    /// It may.
    case allow
    /// It may once it has asked.
    case onRequest = "on-request"
    /// It may not.
    case deny
  }

  package init() {}

  /// Whether a program may set alarms.
  ///
  /// - Parameters:
  ///   - application: its name.
  ///   - hasAsked: whether it has asked for it.
  /// - Returns: `notDetermined` for one that would only have to ask.
  func access(of application: String, hasAsked: Bool) -> Access {
    if isNamed(application, in: deny) { return .denied }
    if isNamed(application, in: allow) { return .authorized }
    return switch fallback {
    case .allow: .authorized
    case .onRequest: hasAsked ? .authorized : .notDetermined
    case .deny: .denied
    }
  }

  /// Why a program may not, and the remedy.
  func refusal(of application: String) -> ServiceError {
    let remedy =
      isNamed(application, in: deny)
      ? "takes it out with deny" : "has to name it in allow"
    return ServiceError(
      .permission,
      "\(application) may not set alarms: [access] in plugins.conf \(remedy); "
        + "change that and run tocsin reload"
    )
  }

  private func isNamed(_ application: String, in names: [Glob]) -> Bool {
    names.contains { $0.matches(application) }
  }
}

extension AccessSettings {
  /// The keys of `[access]`.
  static let keys: [ConfigurationKey<AccessSettings>] = [
    ConfigurationKey(name: "default", values: "allow, on-request or deny", fallback: "allow") {
      (text, settings) throws(ValueText.Unreadable) in
      guard let rule = Rule(rawValue: text) else {
        let near = suggestion(for: text, among: Rule.allCases.map(\.rawValue))
        throw ValueText.Unreadable(
          message: near.isEmpty
            ? "write allow, on-request or deny" : "unknown word \(text)\(near)"
        )
      }
      settings.fallback = rule
    },
    names("allow", \.allow),
    names("deny", \.deny),
  ]

  private static func names(
    _ name: String,
    _ path: any WritableKeyPath<AccessSettings, [Glob]> & Sendable
  ) -> ConfigurationKey<AccessSettings> {
    ConfigurationKey(name: name, values: "names of programs, or none", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings[keyPath: path] = text == "none" ? [] : try ValueText.list(text).map { Glob($0) }
    }
  }

  /// The section as plugins.conf would say it.
  var lines: [String] {
    func written(_ names: [Glob]) -> String {
      names.isEmpty ? "none" : names.map { ValueText.quoted($0.text) }.joined(separator: ", ")
    }
    return [
      "default = \(fallback.rawValue)", "allow = \(written(allow))", "deny = \(written(deny))",
    ]
  }
}

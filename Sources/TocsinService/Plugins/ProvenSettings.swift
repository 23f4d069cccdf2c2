import TocsinModel

/// The settings with which plugins worked, for those that fail with the ones that came after.
///
/// The daemon knows plugins' settings only by their words: whether a value is right says the plugin, once
/// it runs. A slip in it must not silence what worked until then.
struct ProvenSettings {
  /// The settings with which each was ready last.
  private var proven: [String: PluginSettings] = [:]
  /// The settings with which each failed since the last reload, without ever having been ready, and why.
  private var refused: [String: (settings: PluginSettings, reason: String)] = [:]

  /// Takes how a plugin does with its settings.
  ///
  /// - Returns: why it failed, if it is to go back to the settings that worked.
  mutating func note(_ settings: PluginSettings, _ condition: PluginCondition) -> String? {
    let name = settings.name
    switch condition {
    case .ready: proven[name] = settings
    case .failed(let reason):
      guard let old = proven[name], old != settings, refused[name] == nil else { return nil }
      refused[name] = (settings, reason)
      return reason
    case .starting, .off: break
    }
    return nil
  }

  /// The settings to run with where these are asked for.
  func insteadOf(_ settings: PluginSettings) -> PluginSettings {
    guard refused[settings.name]?.settings == settings else { return settings }
    return proven[settings.name] ?? settings
  }

  /// Why a plugin does not run as plugins.conf says; nil if it does.
  func refusal(of name: String) -> String? { refused[name]?.reason }

  /// At a reload all is tried again: what was missing may be there now.
  mutating func forgetRefusals(keeping names: [String]) {
    refused = [:]
    proven = proven.filter { names.contains($0.key) }
  }

  /// What is said of such a plugin, after its name.
  static func words(_ reason: String) -> String {
    "goes on as it was set before, as with what plugins.conf says now it failed: \(reason)"
  }
}

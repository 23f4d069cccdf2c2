/// What of the daemon's environment a plugin gets: what presenting needs, and no secrets.
package struct PluginEnvironment: Sendable {
  /// Passed on if the daemon has them; those that end in `*` stand for all that begin so.
  ///
  /// The list is documented in docs/sandbox.md, and a test holds the two together.
  static let usual = [
    // Who and where one is.
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "STATE_DIRECTORY", "TOCSIN_*",
    // Languages and time.
    "LANG", "LANGUAGE", "LC_*", "TZ", "TZDIR",
    // Terminals and the desktop.
    "TERM", "COLORTERM", "NO_COLOR", "XDG_*", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
    // Sound.
    "ALSA_*", "PIPEWIRE_*", "PULSE_*",
    // Libraries that lie elsewhere.
    "LD_LIBRARY_PATH",
  ]

  /// The daemon's environment.
  let all: [String: String]
  private let passed: [String: String]

  package init(_ all: [String: String]) {
    self.all = all
    passed = all.filter { Self.isUsual($0.key) }
  }

  /// What a plugin gets by its section's rule.
  ///
  /// `account` is the user it becomes, if it becomes another; of what the daemon tells it itself, `own`,
  /// nothing is replaced.
  func variables(
    _ rule: EnvironmentRule,
    account: Account?,
    own: [String: String]
  ) -> [String: String] {
    var variables = rule.hasUsual ? passed : [:]
    if let account, rule.hasUsual {
      // The session and its folders are another user's.
      variables = variables.filter {
        !$0.key.hasPrefix("XDG_") && $0.key != "DBUS_SESSION_BUS_ADDRESS"
      }
      variables["HOME"] = account.home
      variables["SHELL"] = account.shell
      variables["USER"] = account.name
      variables["LOGNAME"] = account.name
    }
    for item in rule.items {
      if let value = item.value ?? all[item.name] { variables[item.name] = value }
    }
    return variables.merging(own) { $1 }
  }

  /// What a plugin gets that its section says nothing of, for whoever starts it without a daemon.
  package func usualVariables(sink: String) -> [String: String] {
    variables(EnvironmentRule(), account: nil, own: ["TOCSIN_SINK": sink])
  }

  private static func isUsual(_ name: String) -> Bool {
    usual.contains { $0.hasSuffix("*") ? name.hasPrefix($0.dropLast()) : name == $0 }
  }
}

package import TocsinService

/// Who a program is, and where its alarms are kept.
package struct ApplicationOptions: Sendable {
  /// What the program is called, the same each time it runs.
  package var application: String
  /// Where its alarms are kept.
  package var place: Place = .automatic
  /// The environment: TOCSIN_SOCKET, XDG_STATE_HOME and others.
  package var environment: [String: String]
  /// How long a call may wait for its answer, connecting included.
  package var answerTime: Duration = .seconds(5)

  /// Where alarms are kept.
  package enum Place: Sendable {
    /// With the daemon if one runs, else in this process, with the user's own store.
    case automatic
    /// With the daemon at this socket, or at one of the usual ones; waits for it if it is away.
    case daemon(socket: String?)
    /// In this process, with the user's plugins.conf, and with the user's own store or with none.
    case user(isEphemeral: Bool)
    /// In this process, as these options say.
    case embedded(ServiceOptions)
    /// Nowhere, and why: one sentence.
    case nowhere(String)
  }

  /// Names a program.
  package init(application: String, environment: [String: String]) {
    self.application = application
    self.environment = environment
  }
}

extension ApplicationOptions.Place {
  /// The variable that says where alarms are kept.
  package static let variable = "TOCSIN_ALARMKIT"

  /// What the environment says: `automatic`, `daemon`, `embedded` or `ephemeral`; nothing is `automatic`.
  package init(environment: [String: String]) {
    switch environment[Self.variable] ?? "" {
    case "", "automatic": self = .automatic
    case "daemon": self = .daemon(socket: nil)
    case "embedded": self = .user(isEphemeral: false)
    case "ephemeral": self = .user(isEphemeral: true)
    case let word:
      self = .nowhere(
        "\(Self.variable) says \"\(word)\"; set it to automatic, daemon, embedded or ephemeral"
      )
    }
  }
}

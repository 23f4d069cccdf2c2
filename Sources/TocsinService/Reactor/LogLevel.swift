/// How much a line of the daemon's log matters, as sinks name it in the protocol.
package enum LogLevel: String, Sendable {
  case critical, error, warning, info, debug

  /// The number syslog(3) has for it; the smaller, the more it matters.
  package var priority: Int {
    switch self {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }
}

/// How much a line of the daemon's log matters, as sinks name it in the protocol.
package enum LogLevel: String, Sendable {
  case error, warning, info, debug
}

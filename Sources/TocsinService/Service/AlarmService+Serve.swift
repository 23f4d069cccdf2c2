import Glibc
import TocsinEngine
import TocsinModel

/// The socket and the configuration the service goes by.
extension AlarmService {
  /// Takes clients from now on, on the socket if there is to be one.
  func serve() throws(ServiceStartError) {
    let group = daemonGroup()
    let socket = try listen(group: group)
    do throws(SystemError) {
      control = try ControlServer(
        socket: socket,
        group: group,
        limits: options.limits,
        reactor: reactor,
        onPiece: { [unowned service = self] client, piece in
          service.assumeIsolated { $0.receive(piece, from: client) }
        },
        onEnd: { [unowned service = self] client in
          service.assumeIsolated { $0.clientEnded(client) }
        }
      )
    } catch {
      throw ServiceStartError(message: "cannot serve clients: \(error)")
    }
  }

  /// A daemon nobody can reach is of no use; a service inside a program rings all the same.
  private func listen(group: gid_t?) throws(ServiceStartError) -> ControlSocket? {
    guard let path = options.socket else { return nil }
    do throws(ControlSocketError) {
      return try ControlSocket(path: path, group: group)
    } catch {
      guard options.isEmbedded else {
        var failure = ServiceStartError(message: "\(error)")
        if case .busy = error { failure.isBusy = true }
        throw failure
      }
      let warning = "only this program can answer its alarms: \(error)"
      warnings[.socket] = warning
      options.log(.warning, warning)
      return nil
    }
  }

  private func daemonGroup() -> gid_t? {
    guard let name = options.configuration.daemon.group else { return nil }
    let group = Peer.group(named: name)
    if group == nil {
      let warning = "there is no group \(name); only user \(geteuid()) may connect"
      warnings[.group] = warning
      options.log(.warning, warning)
    }
    return group
  }

  /// Reads plugins.conf again: all of it counts, or nothing does.
  func reload() throws(ConfigurationError) {
    guard !isStopping else { return }
    try? notification.send(.reloading(at: reactor.now))
    defer { try? notification.send(.ready, .status(statusLine)) }
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try options.reload()
    } catch {
      warnings[.configuration] = "plugins.conf was not read again: \(error)"
      options.log(.error, "plugins.conf keeps what it said before: \(error)")
      throw error
    }
    warnings[.configuration] = nil
    if configuration.daemon.group != options.configuration.daemon.group {
      options.log(.warning, "another group in plugins.conf counts after a restart")
    }
    options.configuration = configuration
    table.rules = configuration.daemon.realRules
    tellAccess()
    route(.adopt(configuration.routes))
    plugins?.reload(pluginSettings)
    options.log(.info, "plugins.conf was read again")
    // Other rules, other deadlines.
    run(.tick)
    readClockTrust()
  }
}

/// Why a service could not start, as one sentence.
package struct ServiceStartError: Error, CustomStringConvertible {
  package var message: String
  /// Whether another daemon is in the way, which may end.
  package var isBusy = false
  package var description: String { message }
}

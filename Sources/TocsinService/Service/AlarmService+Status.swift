import Glibc
import TocsinEngine
import TocsinModel
import TocsinTime

extension AlarmService {
  var serviceStatus: ServiceStatus {
    var lines = warnings.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
    if !reactor.wakesFromSuspend {
      lines.append("this machine will not be woken from suspend for an alarm")
    }
    return ServiceStatus(
      version: Version.text,
      pid: getpid(),
      alarms: table.count,
      alerting: table.alertingCount,
      limit: table.rules.alarmLimit,
      next: table.next?.next,
      zone: table.zones.local?.name,
      clockTrusted: table.isClockTrusted(now: now),
      wakesFromSuspend: reactor.wakesFromSuspend,
      store: store.path,
      warnings: lines
    )
  }

  /// One line for the service manager.
  var statusLine: String {
    if table.alertingCount > 0 { return "\(table.alertingCount) alarms ring" }
    guard let next = table.earliestDeadline else { return "no alarm is set" }
    return "\(table.count) alarms, next at \(next.rfc3339)"
  }

  /// Keeps the service manager's line right, where there is one.
  func reportStatus() {
    guard notification.isWanted else { return }
    try? notification.send(.status(statusLine))
  }

  /// Reads plugins.conf again: all of it counts, or nothing does.
  func reload() throws(ConfigurationError) {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try options.reload()
    } catch {
      warnings[.configuration] = "plugins.conf was not read again: \(error)"
      options.log(.error, "plugins.conf keeps what it said before: \(error)")
      throw error
    }
    warnings[.configuration] = nil
    options.configuration = configuration
    table.rules = configuration.daemon.rules
    plugins?.reload(pluginSettings)
    options.log(.info, "plugins.conf was read again")
  }

  /// Listens on the socket, if there is to be one.
  func serve() throws(ServiceStartError) {
    let daemon = options.configuration.daemon
    var group: gid_t?
    if let name = daemon.group {
      group = Peer.group(named: name)
      if group == nil {
        warnings[.configuration] = "there is no group \(name); only this user may connect"
        options.log(.warning, "there is no group \(name); only this user may connect")
      }
    }
    do {
      let onPiece = {
        [unowned service = self] (client: ControlClient, piece: RequestBuffer.Piece) in
        service.assumeIsolated { $0.receive(piece, from: client) }
      }
      let onEnd = { (_: ControlClient) in }
      control = try ControlServer(
        socket: try listen(group),
        group: group,
        reactor: reactor,
        onPiece: onPiece,
        onEnd: onEnd
      )
    } catch {
      throw ServiceStartError(message: "\(error)")
    }
  }

  /// The socket, if there is to be one.
  ///
  /// A program that runs the service itself has its own connection: where it may not make a socket,
  /// as without a session, its alarms ring all the same.
  private func listen(_ group: gid_t?) throws(ControlSocket.Failure) -> ControlSocket? {
    guard let path = options.socket else { return nil }
    do {
      return try ControlSocket(path: path, group: group)
    } catch {
      guard options.isEmbedded, case .system = error else { throw error }
      options.log(.warning, "\(error); so only this program can answer its alarms")
      return nil
    }
  }
}

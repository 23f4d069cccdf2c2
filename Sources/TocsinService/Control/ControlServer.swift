import CLinux
import Glibc
import TocsinModel

/// Accepts clients, keeps them within their limits, and hands their lines on.
///
/// On the reactor's thread only.
final class ControlServer {
  /// How many clients there may be, in all and from one process.
  enum Limit {
    static let clients = 64
    static let clientsOfProcess = 16
  }

  private(set) var clients: [UInt64: ControlClient] = [:]
  private let reactor: Reactor
  private let socket: ControlSocket?
  private let group: gid_t?
  private var lastID: UInt64 = 0
  private let onPiece: (ControlClient, RequestBuffer.Piece) -> Void
  private let onEnd: (ControlClient) -> Void

  /// Serves a listening socket, or only connections that are added by hand if there is none.
  init(
    socket: ControlSocket?,
    group: gid_t?,
    reactor: Reactor,
    onPiece: @escaping (ControlClient, RequestBuffer.Piece) -> Void,
    onEnd: @escaping (ControlClient) -> Void
  ) throws(SystemError) {
    self.reactor = reactor
    self.group = group
    self.onPiece = onPiece
    self.onEnd = onEnd
    let descriptor = socket?.descriptor
    self.socket = socket
    guard let descriptor else { return }
    try reactor.watch(descriptor, .readable) { [unowned self] _ in accept(from: descriptor) }
  }

  /// Serves one end of a connection, and closes it at the end.
  func add(owning descriptor: Int32) {
    guard let peer = try? Peer(of: descriptor) else {
      Glibc.close(descriptor)
      return
    }
    lastID += 1
    let client: ControlClient
    do {
      client = try ControlClient(
        id: lastID,
        peer: peer,
        owning: descriptor,
        reactor: reactor,
        onPiece: onPiece,
        onEnd: { [unowned self] client in
          clients[client.id] = nil
          onEnd(client)
        }
      )
    } catch { return }
    let fromProcess = clients.values.count { $0.peer.pid == peer.pid }
    clients[client.id] = client
    if !peer.isAllowed(group: group) {
      client.refuse(
        ServiceError(
          .permission,
          "user \(peer.uid) may not speak to this daemon: it is user \(geteuid())'s"
        )
      )
    } else if clients.count > Limit.clients || fromProcess >= Limit.clientsOfProcess {
      client.refuse(ServiceError(.busy, "there are too many connections: close some, try again"))
    }
  }

  /// Takes no more clients and lets go of those there are.
  func close() {
    if let descriptor = socket?.descriptor { reactor.unwatch(descriptor) }
    for client in clients.values { client.close() }
  }

  private func accept(from listener: Int32) {
    for _ in 0..<64 {
      let descriptor = tocsin_accept(listener)
      if descriptor < 0 {
        // Out of descriptors: the connection stays in the kernel's queue until one is free.
        if errno == EMFILE || errno == ENFILE { rest(listener) }
        return
      }
      add(owning: descriptor)
    }
  }

  private func rest(_ listener: Int32) {
    try? reactor.modify(listener, [])
    reactor.after(.milliseconds(200)) { [weak self] in
      try? self?.reactor.modify(listener, .readable)
    }
  }
}

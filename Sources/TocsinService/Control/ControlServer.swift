import CLinux
import Glibc
import TocsinModel

/// Accepts clients, keeps them within their limits, and hands their lines on.
///
/// On the reactor's thread only.
final class ControlServer {
  private(set) var clients: [UInt64: ControlClient] = [:]
  private let limits: ControlLimits
  private let reactor: Reactor
  private var socket: ControlSocket?
  private let group: gid_t?
  private var lastID: UInt64 = 0
  private let onPiece: (ControlClient, RequestBuffer.Piece) -> Void
  private let onEnd: (ControlClient) -> Void

  /// Serves a listening socket, or only connections that are added by hand if there is none.
  init(
    socket: ControlSocket?,
    group: gid_t?,
    limits: ControlLimits = ControlLimits(),
    reactor: Reactor,
    onPiece: @escaping (ControlClient, RequestBuffer.Piece) -> Void,
    onEnd: @escaping (ControlClient) -> Void = { _ in }
  ) throws(SystemError) {
    self.reactor = reactor
    self.limits = limits
    self.group = group
    self.onPiece = onPiece
    self.onEnd = onEnd
    let descriptor = socket?.descriptor
    self.socket = socket
    guard let descriptor else { return }
    try reactor.watch(descriptor, .readable) { [unowned self] _ in accept(from: descriptor) }
  }

  /// Serves one end of a connection, and closes it at the end.
  ///
  /// - Parameters:
  ///   - descriptor: a stream socket that does not block.
  ///   - known: who is at the other end, if the kernel need not be asked.
  func add(owning descriptor: Int32, from known: Peer? = nil) {
    guard let peer = try? known ?? Peer(of: descriptor) else {
      Glibc.close(descriptor)
      return
    }
    if let refusal = refusal(of: peer) {
      // Nothing is set up for whom is not served: a storm of them costs little.
      return Self.turnAway(Descriptor(owning: descriptor), refusal)
    }
    lastID += 1
    guard
      let client = try? ControlClient(
        id: lastID,
        peer: peer,
        owning: descriptor,
        limits: limits,
        reactor: reactor,
        onPiece: onPiece,
        onEnd: { [weak self] client in
          self?.clients[client.id] = nil
          self?.onEnd(client)
        }
      )
    else { return }
    clients[client.id] = client
  }

  private static func turnAway(_ socket: consuming Descriptor, _ refusal: ServiceError) {
    guard let line = try? JSONLine.encode(Reply.error(id: "", refusal)) else { return }
    _ = send(socket.raw, line, line.count, Int32(MSG_NOSIGNAL))
    shutdown(socket.raw, Int32(SHUT_RDWR))
  }

  /// Takes no more clients: the socket is gone, those there are stay.
  func stopListening() {
    guard let socket else { return }
    reactor.unwatch(socket.descriptor)
    self.socket = nil
  }

  /// Takes no more clients and lets go of those there are.
  func close() {
    stopListening()
    for client in clients.values { client.close() }
  }

  private func refusal(of peer: Peer) -> ServiceError? {
    guard peer.isAllowed(group: group) else {
      return ServiceError(
        .permission,
        "user \(peer.uid) may not speak to this daemon: it is user \(geteuid())'s"
      )
    }
    let fromProcess = clients.values.count { $0.peer.pid == peer.pid }
    // However many the group's members have, there is room for the owner.
    let fromOthers = peer.isOwner() ? 0 : clients.values.count { !$0.peer.isOwner() }
    guard
      clients.count >= limits.clients || fromProcess >= limits.clientsOfProcess
        || fromOthers >= limits.clientsOfOthers
    else { return nil }
    return ServiceError(.busy, "there are too many connections: close some, try again")
  }

  private func accept(from listener: Int32) {
    for _ in 0..<limits.accepts {
      let descriptor = tocsin_accept(listener)
      if descriptor < 0 {
        switch errno {
        case EAGAIN, EINTR, ECONNABORTED: break
        // Out of descriptors or memory: the connection stays in the kernel's queue until there are.
        default: rest()
        }
        return
      }
      add(owning: descriptor)
    }
  }

  private func rest() {
    guard let socket else { return }
    try? reactor.modify(socket.descriptor, [])
    reactor.after(limits.rest) { [weak self] in
      guard let self, let socket = self.socket else { return }
      try? reactor.modify(socket.descriptor, .readable)
    }
  }
}

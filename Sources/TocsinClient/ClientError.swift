package import TocsinModel

/// Why a client could not get its answer; the description is one sentence for a person.
package enum ClientError: Error, Hashable, Sendable {
  /// Nothing listens at any of these paths: no daemon runs, or one died and left its socket behind.
  case noDaemon(paths: [String])
  /// The socket is there, but this user may not use it; the code is `EACCES` or `EPERM`.
  case refused(path: String, code: Int32)
  /// Who listens there is a user from whom no daemon is expected at that place.
  case stranger(path: String, user: UInt32)
  /// The path does not fit an address of `ServicePaths.socketLimit` bytes.
  case pathTooLong(path: String)
  /// A system call failed for a reason that has nothing to do with the daemon.
  case system(operation: String, path: String, code: Int32)
  /// The daemon closed the connection before it had answered.
  case lost(path: String)
  /// The daemon did not accept, or did not answer, within that many seconds.
  case timeout(path: String, operation: String, seconds: Double)
  /// The line to send is longer than the protocol allows; in bytes.
  case tooLarge(bytes: Int)
  /// What came is not the protocol; the text says what is wrong with it.
  case `protocol`(path: String, what: String)
  /// The daemon answered, and its answer is no.
  case service(ServiceError)
}

extension ClientError: CustomStringConvertible {
  /// One sentence without a full stop: the thing, the place, the remedy.
  package var description: String {
    switch self {
    case .noDaemon(let paths):
      "no daemon answers at \(paths.joined(separator: " or ")); is tocsind running? "
        + "start it with: tocsind, or systemctl --user start tocsind"
    case .refused(let path, let code):
      "the daemon's socket \(path) is not open to this user (\(errorText(code))); "
        + "ask for membership of the socket's group, or set TOCSIN_SOCKET to your own daemon's"
    case .stranger(let path, let user):
      "what listens at \(path) is user \(user)'s, who is neither this user nor root nor the owner "
        + "of the directory, and is told nothing; remove it, or set TOCSIN_SOCKET to the daemon's"
    case .pathTooLong(let path):
      "the socket's path is \(path.utf8.count) bytes long and the system takes at most "
        + "\(ServicePaths.socketLimit): \(path); set TOCSIN_SOCKET to a shorter one"
    case .system(let operation, let path, let code):
      "cannot \(operation) \(path): \(errorText(code))"
    case .lost(let path):
      "the daemon at \(path) closed the connection before it had answered; "
        + "look at its log and ask again"
    case .timeout(let path, let operation, let seconds):
      "the daemon at \(path) did not \(operation) within \(brief(seconds)) s; "
        + "it may be stopped or hang: look at its log, or start it anew"
    case .tooLarge(let bytes):
      "the request is \(bytes) bytes long and the protocol takes at most \(JSONLine.limit); "
        + "shorten the title or the options"
    case .protocol(let path, let what):
      "what answers at \(path) does not speak the protocol of tocsind: \(what)"
    case .service(let error):
      error.message
    }
  }

  private func brief(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? String(Int(clamping: Int64(seconds))) : String(seconds)
  }
}

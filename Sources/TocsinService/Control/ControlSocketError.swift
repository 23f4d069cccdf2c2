import Glibc

/// Why a daemon cannot listen, as one sentence with a remedy.
enum ControlSocketError: Error, Equatable, CustomStringConvertible {
  /// The path does not fit into a socket's address.
  case tooLong(path: String, limit: Int)
  /// Another daemon is there; its process, if it left its number.
  case busy(path: String, pid: Int32?)
  /// Something else has that name.
  case notASocket(path: String)
  /// What has the lock's name is not a file of the daemon's user alone.
  case notALock(path: String)
  /// Others could put a socket of their own there; why.
  case unsafeDirectory(String, String)
  /// The system refused.
  case system(path: String, SystemError)

  var description: String {
    switch self {
    case .tooLong(let path, let limit):
      "the socket's path has over \(limit) bytes: \(path); set TOCSIN_SOCKET to a shorter one"
    case .busy(let path, let pid):
      "another daemon\(pid.map { ", process \($0)," } ?? "") listens on \(path) already; "
        + "stop it, or set TOCSIN_SOCKET to another path"
    case .notASocket(let path):
      "\(path) is there and is no socket; move it away or set TOCSIN_SOCKET"
    case .notALock(let path):
      "\(path) is there and is no file of user \(geteuid())'s alone; remove it"
    case .unsafeDirectory(let directory, let fault):
      "no socket is made in \(directory): \(fault), so others could put theirs in its place; "
        + "set TOCSIN_SOCKET to a directory of user \(geteuid())'s own"
    case .system(let path, let error):
      "cannot listen on \(path): \(error); \(Self.remedy(for: error))"
    }
  }

  private static func remedy(for error: SystemError) -> String {
    if error.operation == "chown" {
      return "make the daemon's user a member of that group, or take group out of plugins.conf"
    }
    return switch error.code {
    case EACCES, EPERM, ENOENT, EROFS, ENOTDIR:
      "set TOCSIN_SOCKET to a place where user \(geteuid()) may write"
    case ELOOP: "remove the symbolic link"
    case EMFILE, ENFILE, ENOMEM, ENOBUFS: "let the process have more files, or end others"
    default: "set TOCSIN_SOCKET to another path"
    }
  }
}

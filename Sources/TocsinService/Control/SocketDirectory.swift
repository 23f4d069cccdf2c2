import Glibc
import TocsinModel

/// The directory of the control socket, held open and known to be nobody else's.
///
/// Whoever can put files into it could put a socket of their own in the place of the daemon's, or lead
/// the daemon to other files by links. So it must belong to the daemon's user or to root, and others may
/// write in it only if they cannot replace what is there (the sticky bit, as in /tmp).
struct SocketDirectory: ~Copyable {
  /// The socket's name in it.
  let name: String
  private let descriptor: Descriptor

  /// Opens the directory of a socket's path, and makes it if it is absent.
  init(of path: String) throws(ControlSocketError) {
    let parts = PathParts(path)
    let directory = parts.directory
    if mkdir(directory, 0o755) == 0, let made = try? PinnedFile(directory) {
      // Whatever the umask left of it.
      try? made.change(mode: 0o755)
    }
    let raw = open(directory, PinnedFile.onlyPath | O_DIRECTORY | O_CLOEXEC)
    guard raw >= 0 else { throw .system(path: path, SystemError("open", directory)) }
    let held = Descriptor(owning: raw)
    var status = stat()
    guard fstat(raw, &status) == 0 else {
      throw .system(path: path, SystemError("stat", directory))
    }
    let fault = Self.fault(owner: status.st_uid, mode: status.st_mode, user: geteuid())
    if let fault { throw .unsafeDirectory(directory, fault) }
    name = parts.name
    descriptor = held
  }

  var raw: Int32 { descriptor.raw }

  /// Why a directory is not to be trusted; nil if it is.
  static func fault(owner: uid_t, mode: mode_t, user: uid_t) -> String? {
    if owner != user, owner != 0 { return "it belongs to user \(owner)" }
    // Members of a group that may write there are trusted no more than others.
    guard mode & 0o022 != 0, mode & S_ISVTX == 0 else { return nil }
    return mode & 0o002 != 0 ? "everybody may write in it" : "a group may write in it"
  }
}

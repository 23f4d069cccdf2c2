import CSQLite
import Glibc

extension StoreError {
  /// Translates an error number of the system.
  package init(_ operation: String, path: String, errno number: Int32) {
    self.init(
      Self.kind(errno: number) ?? .cannotOpen,
      operation,
      path: path,
      errno: number,
      message: String(cString: strerror(number))
    )
  }

  /// Translates a result code of SQLite and, where the system is behind it, its error number.
  ///
  /// Source: sqlite.org/rescode.html.
  package init(
    _ operation: String,
    path: String,
    code: Int32,
    systemError: Int32,
    message: String
  ) {
    let kind: Kind
    switch code & 0xFF {
    case SQLITE_FULL: kind = .full
    case SQLITE_READONLY: kind = .readOnly
    case SQLITE_IOERR: kind = Self.kind(errno: systemError) ?? .io
    case SQLITE_CANTOPEN: kind = Self.kind(errno: systemError) ?? .cannotOpen
    case SQLITE_PERM, SQLITE_AUTH: kind = .cannotOpen
    case SQLITE_BUSY, SQLITE_LOCKED: kind = .locked(pid: nil)
    case SQLITE_NOMEM: kind = .io
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: kind = .damaged
    default: kind = .rejected
    }
    let hasSystemError =
      systemError != 0 && (code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN)
    self.init(
      kind,
      operation,
      path: path,
      code: code,
      errno: hasSystemError ? systemError : 0,
      message: hasSystemError ? "\(message): \(String(cString: strerror(systemError)))" : message
    )
  }

  private static func kind(errno number: Int32) -> Kind? {
    switch number {
    // EFBIG: a limit on file sizes is to the store what a full disk is.
    case ENOSPC, EDQUOT, EFBIG: .full
    case EROFS: .readOnly
    case EIO: .io
    default: nil
    }
  }
}

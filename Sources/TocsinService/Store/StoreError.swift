/// What went wrong in the store, where, and what a person can do about it.
package struct StoreError: Error, Hashable, Sendable {
  /// The sort of failure; decides whether a change is worth trying again.
  package enum Kind: Hashable, Sendable {
    /// The file or its directory cannot be opened or made.
    case cannotOpen
    /// Another daemon holds the store; its process, if it left its number.
    case locked(pid: Int32?)
    /// The file was written by a version of Tocsin that is newer than this one.
    case newer(version: Int)
    /// The file is not a store, or parts of it are lost.
    case damaged
    /// No space is left for it.
    case full
    /// The file system takes no writes.
    case readOnly
    /// The device failed.
    case io
    /// The change itself cannot be stored; trying again does not help.
    case rejected
    /// The store was closed before.
    case closed
  }

  package var kind: Kind
  /// What was tried, as a verb: "save to".
  package var operation: String
  /// The file it was tried on; empty for a store in memory.
  package var path: String
  /// SQLite's extended result code; 0 if SQLite had no part in it.
  package var code: Int32
  /// The system's error number; 0 if there is none.
  package var errno: Int32
  /// What SQLite or the system said.
  package var message: String

  package init(
    _ kind: Kind,
    _ operation: String,
    path: String,
    code: Int32 = 0,
    errno: Int32 = 0,
    message: String
  ) {
    self.kind = kind
    self.operation = operation
    self.path = path
    self.code = code
    self.errno = errno
    self.message = message
  }

  /// SQLite's result code without its extension.
  package var primaryCode: Int32 { code & 0xFF }

  /// Whether the same change may succeed later, with nothing changed but the world.
  package var isRetryable: Bool {
    switch kind {
    case .full, .readOnly, .io, .cannotOpen: true
    case .locked, .newer, .damaged, .rejected, .closed: false
    }
  }

  /// What a person can do about it.
  package var remedy: String {
    switch kind {
    case .cannotOpen: "check that the directory exists and belongs to the user who runs tocsin"
    case .locked(let pid?): "stop process \(pid), or talk to it through its socket"
    case .locked(nil): "close the other program that has it open"
    case .newer: "install that version again, or move the file away"
    case .damaged: "start tocsin again: it moves the file aside and takes the last backup"
    case .full: "make room on that file system"
    case .readOnly: "mount the file system for writing, or choose another place for the store"
    case .io: "check the device: the kernel's log says what is wrong with it"
    case .rejected: "change the alarm"
    case .closed: "start tocsin again"
    }
  }
}

extension StoreError: CustomStringConvertible {
  /// One sentence: what failed, where, why, and the remedy.
  package var description: String {
    let place = path.isEmpty ? "the store in memory" : path
    let number = code == 0 ? "" : " (SQLite \(code))"
    return "cannot \(operation) \(place): \(message)\(number); \(remedy)"
  }
}

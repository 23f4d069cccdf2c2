import TocsinModel

/// What a child process is kept to, put together before it is forked.
struct Confinement {
  var hasNoNewPrivileges = true
  var fileLimit: UInt64 = 1024
  /// 0 is none.
  var memoryLimit: UInt64 = 0
  var processLimit: UInt64 = 0
  /// The user to become; nil for the same.
  var account: Account?
  var hidden: StoreCover.Hidden?
}

/// Why a plugin cannot be started until somebody changes something, as a sentence.
struct Unstartable: Error, Hashable, CustomStringConvertible {
  var description: String
}

import Glibc

/// What went wrong with a line, a chip or an input device.
struct GPIOError: Error, Hashable, CustomStringConvertible {
  /// What kind of trouble it is, as far as what to do about it is concerned.
  enum Kind: Hashable {
    /// It is not there; it may come.
    case absent
    /// This user may not; udev may still be about to say so.
    case denied
    /// Another program has it; it may let go.
    case busy
    /// Anything else.
    case other
  }

  /// What is to be done about it.
  var kind: Kind
  /// One sentence: the thing, the place, the remedy.
  var description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// What kind of trouble the system's code is.
  static func kind(of code: CInt) -> Kind {
    switch code {
    case EACCES, EPERM: .denied
    case EBUSY: .busy
    case ENOENT, ENODEV, ENXIO, ENOTDIR: .absent
    default: .other
    }
  }
}

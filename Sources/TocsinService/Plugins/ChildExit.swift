import Glibc

/// How a child ended.
enum ChildExit: Hashable {
  /// With this status.
  case status(Int32)
  /// By this signal.
  case signal(Int32)
  /// Nobody knows how.
  case unknown

  /// Reads what waitpid(2) stored.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7F
    self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
  }

  /// Whether it said that another start will end the same way: its settings are wrong (EX_CONFIG), or
  /// it cannot work here (EX_UNAVAILABLE, sysexits.h).
  var isFinal: Bool { self == .status(EX_CONFIG) || self == .status(EX_UNAVAILABLE) }
}

extension ChildExit: CustomStringConvertible {
  /// Such as "ended with status 1".
  var description: String {
    switch self {
    case .status(EX_CONFIG): return "ended with status 78: its settings are wrong"
    case .status(EX_UNAVAILABLE): return "ended with status 69: it cannot work here"
    case .status(let status): return "ended with status \(status)"
    case .signal(let signal):
      let name = strsignal(signal).map { String(cString: $0) } ?? "unknown"
      return "was ended by signal \(signal) (\(name))"
    case .unknown: return "ended"
    }
  }
}

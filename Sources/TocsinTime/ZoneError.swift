/// Why a time zone could not be had; its description is a sentence for the person who named it.
public struct ZoneError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// The file is not TZif, or breaks a rule of RFC 9636; the text says which.
    case malformed(String)
    /// The file counts leap seconds, so its times are not those of a POSIX clock.
    case countsLeapSeconds
    /// The POSIX TZ string is not one; the text says where it ends being one.
    case badRule(String)
    /// The name cannot be that of a zone: empty, absolute, or with `..` in it.
    case badName
    /// No zone has that name; `nearest` is the known name most like it.
    case unknown(nearest: String?)
    /// The zone is listed, but its file belongs to a package that is not installed.
    case notInstalled(package: String)
    /// There is no time zone database on this machine.
    case noDatabase
  }

  /// The name or TZ string of the zone, as it was asked for.
  public let zone: String
  /// What went wrong.
  public let reason: Reason

  /// An error about the zone of that name.
  public init(zone: String, reason: Reason) {
    self.zone = zone
    self.reason = reason
  }
}

extension ZoneError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    let name = zone.shortened
    return switch reason {
    case .malformed(let what): "the file of time zone \(name) is damaged: \(what)"
    case .countsLeapSeconds:
      "time zone \(name) counts leap seconds; use the name without \"right/\""
    case .badRule(let what): "\"\(name)\" is no POSIX TZ string: \(what)"
    case .badName: "\"\(name)\" cannot name a time zone; write one such as Europe/Berlin"
    case .unknown(let nearest?): "unknown time zone \"\(name)\"; did you mean \(nearest)?"
    case .unknown(nil): "unknown time zone \"\(name)\""
    case .notInstalled(let package):
      "time zone \(name) is not installed; install the package \(package)"
    case .noDatabase:
      "time zone \(name) cannot be read: there is no time zone database; install the package tzdata"
    }
  }
}

/// Finds zones in the system's time zone database, by name or as the machine is set.
///
/// Everything outside comes in as closures, so that this module touches no file itself and a test
/// needs none. No zone is kept: who wants them cached, and dropped when tzdata changes, wraps it.
package struct ZoneFinder: Sendable {
  /// Returns the bytes of the file at that path, or throws whatever it likes.
  package typealias Read = @Sendable (_ path: String) throws -> [UInt8]

  private let read: Read
  package let environment: [String: String]
  private let localtimeTarget: @Sendable () -> String?
  /// The names, if they were read beforehand.
  private var known: ZoneNames?

  /// Where distributions keep the database, after TZDIR.
  private static let defaultDirectories = [
    "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
  ]
  private static let localtime = "/etc/localtime"

  /// A finder that sees the world through these.
  ///
  /// - Parameters:
  ///   - read: returns the bytes of the file at a path.
  ///   - environment: the process's variables; TZ and TZDIR are looked at.
  ///   - localtimeTarget: where the symbolic link /etc/localtime leads, nil if it is none.
  package init(
    read: @escaping Read,
    environment: [String: String],
    localtimeTarget: @escaping @Sendable () -> String?
  ) {
    self.read = read
    self.environment = environment
    self.localtimeTarget = localtimeTarget
  }

  /// The same finder with the database's list of names read once, for many words that may be names.
  package func knowingNames() -> ZoneFinder {
    var finder = self
    finder.known = ZoneNames(read: { file in bytes(of: file) })
    return finder
  }

  /// The zone of the machine: TZ if it is set, else /etc/localtime, else UTC (tzset(3)).
  ///
  /// - Throws: `ZoneError`; TZ that names nothing is an error here, where the C library silently
  ///   goes over to UTC.
  package func system() throws(ZoneError) -> Zone {
    guard let value = environment["TZ"] else { return try localtime() }
    let text = value.hasPrefix(":") ? String(value.dropFirst()) : value
    if text.isEmpty { return .utc }
    if text.hasPrefix("/") {
      guard let bytes = try? read(text) else {
        throw ZoneError(zone: text, reason: .unknown(nearest: nil))
      }
      return try Zone(name: Self.name(behindZoneinfo: text) ?? text, tzif: bytes)
    }
    let failure: ZoneError
    do throws(ZoneError) {
      return try zone(named: text)
    } catch {
      failure = error
    }
    if value.hasPrefix(":") { throw failure }
    // A name may look like a rule ("EST5EDT"), so files come first. What does not even begin like
    // a rule is reported as the unknown name it probably is.
    guard let zone = try? Zone(name: text, posix: text) else { throw failure }
    return zone
  }

  /// The zone of that name, such as "Europe/Berlin"; any case, as long as the database lists names.
  ///
  /// - Throws: `ZoneError`: `.badName` for names that would leave the database's folder.
  package func zone(named name: String) throws(ZoneError) -> Zone {
    guard Self.isName(name) else { throw ZoneError(zone: name, reason: .badName) }
    if let bytes = bytes(of: name) { return try Zone(name: name, tzif: bytes) }
    if ["utc", "z", "etc/utc"].contains(name.lowercased()) { return .utc }
    let known = self.known ?? ZoneNames(read: { file in bytes(of: file) })
    if known.isEmpty, bytes(of: "UTC") == nil, bytes(of: "Etc/UTC") == nil {
      throw ZoneError(zone: name, reason: .noDatabase)
    }
    if let listed = known.name(equalTo: name) {
      if let bytes = bytes(of: listed) { return try Zone(name: listed, tzif: bytes) }
      // Old names such as US/Pacific are a package of their own since Debian 13.
      throw ZoneError(zone: listed, reason: .notInstalled(package: "tzdata-legacy"))
    }
    throw ZoneError(zone: name, reason: .unknown(nearest: known.nearest(to: name)))
  }

  /// The files a zone of that name is looked for in, the first first; none for what cannot be a name.
  package func files(of name: String) -> [String] {
    Self.isName(name) ? paths(of: name) : []
  }

  private func localtime() throws(ZoneError) -> Zone {
    let name = localtimeTarget().flatMap(Self.name(behindZoneinfo:))
    if let bytes = try? read(Self.localtime) {
      return try Zone(name: name ?? "Local", tzif: bytes)
    }
    // No link: the machine is on UTC, as localtime(5) says. A link that leads nowhere is a fault.
    guard let name else { return .utc }
    return try zone(named: name)
  }

  private func bytes(of name: String) -> [UInt8]? {
    for path in paths(of: name) {
      if let bytes = try? read(path) { return bytes }
    }
    return nil
  }

  private func paths(of name: String) -> [String] {
    var directories = Self.defaultDirectories
    if let own = environment["TZDIR"], !own.isEmpty { directories = [own] }
    return directories.map { $0 + "/" + name }
  }

  /// Whether it is a relative path of plain parts: the name may come from anybody.
  static func isName(_ name: String) -> Bool {
    guard name.utf8.count <= 255 else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".."
        && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-_.".utf8.contains($0) }
    }
  }

  /// What follows the last "zoneinfo/" of a path, without the "posix/" copy it may lie in.
  static func name(behindZoneinfo path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let folder = parts.lastIndex(of: "zoneinfo") else { return nil }
    let name = parts[(folder + 1)...]
    let plain = name.first == "posix" ? name.dropFirst() : name
    let joined = plain.joined(separator: "/")
    return isName(joined) ? joined : nil
  }
}

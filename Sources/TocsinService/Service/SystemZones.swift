import Glibc
import TocsinEngine
package import TocsinTime

/// The time zones of this machine, read once and again when told to.
package final class SystemZones: Sendable {
  private let finder: ZoneFinder
  private let cache = Lock<[String: Zone?]>([:])

  /// Reads zones as the environment (TZ, TZDIR) and /etc/localtime say.
  package init(environment: [String: String]) {
    finder = ZoneFinder(
      read: { path in try Self.bytes(of: path) },
      environment: environment,
      localtimeTarget: { Self.target(of: "/etc/localtime") }
    )
  }

  /// The machine's zone.
  package func system() throws(ZoneError) -> Zone {
    try finder.system()
  }

  /// A zone by its name, quickly if it was asked for before.
  package func zone(named name: String) -> Zone? {
    cache.withLock { cache in
      if let known = cache[name] { return known }
      let zone = try? finder.zone(named: name)
      // A client cannot make this grow: names are checked against a limit first.
      if cache.count < 1_000 { cache[name] = zone }
      return zone
    }
  }

  /// A zone by its name, or why there is none.
  package func lookUp(_ name: String) throws(ZoneError) -> Zone {
    try finder.zone(named: name)
  }

  /// Forgets what was read, so that changed files are seen.
  package func forget() {
    cache.withLock { $0 = [:] }
  }

  /// The files whose change can change a zone.
  package static func watchedPaths(environment: [String: String]) -> [String] {
    let own = environment["TZDIR"] ?? ""
    let directory = own.isEmpty ? "/usr/share/zoneinfo" : own
    var paths = ["\(directory)/tzdata.zi", "\(directory)/UTC"]
    if let value = environment["TZ"] {
      // A rule instead of a name leads to no file, which is as good as none to watch.
      let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
      if !name.isEmpty { paths.append(name.hasPrefix("/") ? name : "\(directory)/\(name)") }
    } else {
      paths += ["/etc/localtime", "/etc/timezone"]
      if let target = target(of: "/etc/localtime") { paths.append(absolute(target)) }
    }
    return paths
  }

  private static func absolute(_ target: String) -> String {
    target.hasPrefix("/") ? target : "/etc/\(target)"
  }

  private static func target(of link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes -> Int in
      let characters = bytes.assumingMemoryBound(to: CChar.self)
      return characters.baseAddress.map { readlink(link, $0, characters.count) } ?? -1
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// A file's bytes, of at most 1 MiB; the largest zone has 4 KiB, its index 110.
  private static func bytes(of path: String) throws -> [UInt8] {
    let file = Descriptor(
      owning: try check("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    )
    var status = stat()
    guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 1 << 20
    else { throw SystemError("read", path, code: EINVAL) }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var length = 0
    while length < bytes.count {
      let count = try check("read", path) {
        bytes.withUnsafeMutableBytes {
          read(file.raw, $0.baseAddress?.advanced(by: length), $0.count - length)
        }
      }
      if count == 0 { break }
      length += count
    }
    return Array(bytes[..<length])
  }
}

import Glibc
import TocsinEngine
package import TocsinTime

/// The time zones of this machine, read once and again when told to.
package final class SystemZones: Sendable {
  private struct State {
    var finder: ZoneFinder
    var read: [String: Zone?] = [:]
  }

  private let state: Lock<State>

  /// Reads zones as the environment (TZ, TZDIR) and /etc/localtime say.
  package init(environment: [String: String]) {
    state = Lock(State(finder: Self.finder(environment)))
  }

  private static func finder(_ environment: [String: String]) -> ZoneFinder {
    ZoneFinder(
      read: { path in try bytes(of: path) },
      environment: environment,
      localtimeTarget: { target(of: "/etc/localtime") }
    )
  }

  /// Reads zones as another environment says from now on; what was read by name stays.
  func setEnvironment(_ environment: [String: String]) {
    state.withLock { $0.finder = Self.finder(environment) }
  }

  private var finder: ZoneFinder { state.withLock { $0.finder } }

  /// The machine's zone.
  package func system() throws(ZoneError) -> Zone {
    try finder.system()
  }

  /// A zone by its name, quickly if it was asked for before.
  package func zone(named name: String) -> Zone? {
    state.withLock { state in
      if let known = state.read[name] { return known }
      let zone = try? state.finder.zone(named: name)
      // A client cannot make this grow.
      if state.read.count < FollowedZones.limit { state.read[name] = zone }
      return zone
    }
  }

  /// A zone by its name, or why there is none.
  package func lookUp(_ name: String) throws(ZoneError) -> Zone {
    try finder.zone(named: name)
  }

  /// Reads a zone again by its name; if that fails it stays as it was.
  ///
  /// - Returns: whether it is another than before.
  func refresh(_ name: String) throws(ZoneError) -> Bool {
    let zone = try lookUp(name)
    return state.withLock { state in
      let old = state.read.updateValue(zone, forKey: name)
      // Nobody has gone by one that was not read.
      return old.map { $0 != zone } ?? false
    }
  }

  /// How many names were asked for and are not forgotten.
  var count: Int { state.withLock { $0.read.count } }

  /// Forgets zones, or those with such names, so that changed files are seen.
  func forget(where isForgotten: (String) -> Bool = { _ in true }) {
    state.withLock { state in state.read = state.read.filter { !isForgotten($0.key) } }
  }

  /// The file that a zone is read from, or would be.
  func file(of name: String) -> String {
    let files = finder.files(of: name)
    return files.first { access($0, F_OK) == 0 } ?? files.first ?? name
  }

  /// The paths at which a zone may be seen to become another.
  func trails(of name: String) -> Set<String> {
    // The list of names may have it in other letters.
    let read = state.withLock { $0.read[name] }
    let files = finder.files(of: (read ?? nil)?.name ?? name)
    // One that comes to be in an earlier place counts before it.
    let end = files.firstIndex { access($0, F_OK) == 0 } ?? 0
    return files.prefix(end + 1).reduce(into: []) {
      $0.formUnion(trail(of: $1, target: Self.target(of:)))
    }
  }

  /// The paths at which the machine's zone, or the list of names, may be seen to become another.
  func systemTrails() -> Set<String> {
    Self.watchedPaths(environment: finder.environment).reduce(into: []) {
      $0.formUnion(trail(of: $1, target: Self.target(of:)))
    }
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

import TocsinEngine

/// Which zones are followed for the alarms that name them, by which paths, and what is wrong with them.
///
/// It knows no files and watches nothing: whoever has it does.
struct FollowedZones {
  /// More than there are zones; what an alarm names comes from anybody, and in any case of letters.
  static let limit = 1_000

  /// The paths at which each zone may be seen to change.
  private(set) var paths: [String: Set<String>] = [:]
  /// The paths at which the machine's own may.
  var systemPaths: Set<String> = []
  /// Why the rules of a zone are not those of its file, as a sentence.
  private(set) var faults: [String: String] = [:]
  private var generation: Int?

  /// Whether no name came or went since it was last told.
  func isUpToDate(with uses: ZoneUses) -> Bool { generation == uses.generation }

  /// Follows the zones that alarms name now and no others, but never more than the limit.
  ///
  /// - Returns: those that are new, which have no paths yet.
  mutating func follow(_ uses: ZoneUses) -> [String] {
    generation = uses.generation
    let names = Set(uses.names)
    paths = paths.filter { names.contains($0.key) }
    faults = faults.filter { names.contains($0.key) }
    let new = names.lazy.filter { [paths] in paths[$0] == nil }.prefix(Self.limit - paths.count)
    let added = Array(new)
    for name in added { paths[name] = [] }
    return added
  }

  /// Where a zone that is followed may be seen to change.
  mutating func setPaths(_ trails: Set<String>, of name: String) {
    if paths[name] != nil { paths[name] = trails }
  }

  /// All there is to watch.
  var allPaths: Set<String> { paths.values.reduce(into: systemPaths) { $0.formUnion($1) } }

  /// The zones that may be others when something happened at these paths.
  ///
  /// The list of names, which tells how a name in other letters is meant, is among the machine's own.
  func names(at changed: Set<String>) -> [String] {
    guard systemPaths.isDisjoint(with: changed) else { return Array(paths.keys) }
    return paths.filter { !$0.value.isDisjoint(with: changed) }.map(\.key)
  }

  /// Notes what is wrong with a zone, or that nothing is any more.
  ///
  /// - Returns: whether it came to be wrong or good by that; a file that is being written may be wrong in
  ///   several ways one after the other.
  mutating func setFault(_ fault: String?, of name: String) -> Bool {
    guard paths[name] != nil else { return false }
    let old = faults[name]
    faults[name] = fault
    return (old == nil) != (fault == nil)
  }

  /// All faults as one text; nil without any.
  var faultText: String? {
    faults.isEmpty ? nil : faults.sorted { $0.key < $1.key }.map(\.value).joined(separator: "; ")
  }
}

/// The links on the way to a file, and the file they lead to: each of them may come to be another.
///
/// - Parameters:
///   - path: absolute; what does not exist is taken as it stands.
///   - target: what a symbolic link holds; nil for anything else.
/// - Returns: absolute paths, of which only the last part may be a link.
func trail(of path: String, target: (String) -> String?) -> Set<String> {
  var rest = Array(path.split(separator: "/").reversed())
  var walked: [Substring] = []
  var trail: Set<String> = []
  // As many links as the kernel follows; see path_resolution(7).
  var links = 40
  while let part = rest.popLast() {
    if part == "." { continue }
    if part == ".." {
      _ = walked.popLast()
      continue
    }
    walked.append(part)
    let here = "/" + walked.joined(separator: "/")
    guard links > 0, let target = target(here) else { continue }
    links -= 1
    trail.insert(here)
    if target.hasPrefix("/") { walked = [] } else { walked.removeLast() }
    rest += target.split(separator: "/").reversed()
  }
  trail.insert("/" + walked.joined(separator: "/"))
  return trail
}

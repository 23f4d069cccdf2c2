import CLinux
import Glibc

/// Tells when a path comes, goes, or leads to another file: inotify on the directory that holds it.
///
/// Package upgrades and `ln -sf` replace files by renaming, which a watch on the file itself would
/// miss. Where the directory does not exist, the nearest one above is watched until it does. However
/// many paths a directory holds, it costs one watch. Never fails: a machine without inotify just
/// reports nothing. On the loop's thread only. See inotify(7).
package final class PathWatcher {
  private struct Target {
    var path: [Substring]
    /// The watch it hangs on, and the name in that directory that matters to it.
    var watch: Int32 = -1
    var name: Substring = ""
    /// Whether `name` is the path's last component, so that the directory holding it exists.
    var isNear = false
  }

  private let reactor: Reactor
  private let descriptor: Descriptor
  private let onChange: (Set<String>) -> Void
  private var targets: [String: Target] = [:]
  /// The paths that hang on each watch.
  private var watches: [Int32: Set<String>] = [:]

  /// A watcher of nothing yet.
  ///
  /// - Parameters:
  ///   - reactor: the loop on which it works.
  ///   - onChange: called on the loop with the paths to which something happened; once for all that is
  ///     there to be read, however much it is.
  package init(reactor: Reactor, onChange: @escaping (Set<String>) -> Void) {
    self.reactor = reactor
    self.onChange = onChange
    descriptor = Descriptor(owning: inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
    guard descriptor.raw >= 0 else { return }
    try? reactor.watch(descriptor.raw, .readable) { [weak self] _ in self?.readEvents() }
  }

  /// How many directories are watched.
  package var watchCount: Int { watches.count }

  /// Watches these absolute paths from now on, and no others; what was watched before is so throughout.
  package func watch(_ paths: Set<String>) {
    for path in targets.keys where !paths.contains(path) {
      if let target = targets.removeValue(forKey: path) { detach(path, from: target.watch) }
    }
    for path in paths where targets[path].map({ $0.watch < 0 }) ?? true {
      targets[path] = Target(path: path.split(separator: "/"))
      attach(path)
    }
  }

  /// Watches nothing any more.
  package func cancel() {
    watch([])
    reactor.unwatch(descriptor.raw)
  }

  /// Hangs a path on the deepest directory that exists.
  private func attach(_ path: String) {
    guard descriptor.raw >= 0, var target = targets[path], !target.path.isEmpty else { return }
    let near = target.path.count - 1
    var depth = near
    var watch = add(target.path[..<depth], isNear: true)
    while watch < 0, depth > 0 {
      depth -= 1
      watch = add(target.path[..<depth], isNear: false)
    }
    // The next one may have come before its directory was watched.
    while watch >= 0, depth < near {
      let deeper = add(target.path[...depth], isNear: depth + 1 == near)
      guard deeper >= 0 else { break }
      if watches[watch] == nil { inotify_rm_watch(descriptor.raw, watch) }
      watch = deeper
      depth += 1
    }
    let old = target.watch
    target.watch = watch
    target.name = target.path[depth]
    target.isNear = depth == near
    targets[path] = target
    if watch >= 0 { watches[watch, default: []].insert(path) }
    if old != watch { detach(path, from: old) }
  }

  private func add(_ directory: ArraySlice<Substring>, isNear: Bool) -> Int32 {
    var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    if isNear { mask |= IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE }
    // Two paths may share a directory: add to its mask, do not replace it.
    return inotify_add_watch(
      descriptor.raw,
      "/" + directory.joined(separator: "/"),
      UInt32(mask) | UInt32(IN_MASK_ADD)
    )
  }

  /// Takes a path off a watch, which ends with the last.
  private func detach(_ path: String, from watch: Int32) {
    guard watches[watch]?.remove(path) != nil, watches[watch]?.isEmpty == true else { return }
    watches[watch] = nil
    inotify_rm_watch(descriptor.raw, watch)
  }

  private func readEvents() {
    var changed: Set<String> = []
    withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
      while true {
        let count = read(descriptor.raw, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var position = 0
        while position < count {
          let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
          let start = position + MemoryLayout<inotify_event>.size
          let end = start + Int(event.len)
          let name = String(
            decoding: buffer[start..<end].prefix { $0 != 0 },
            as: UTF8.self
          )
          note(event, name, &changed)
          position = end
        }
      }
    }
    if !changed.isEmpty { onChange(changed) }
  }

  private func note(_ event: inotify_event, _ name: String, _ changed: inout Set<String>) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      // Directories may have come and gone unseen as well.
      for path in Array(targets.keys) { attach(path) }
      changed.formUnion(targets.keys)
      return
    }
    let isDirectoryGone =
      event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
    for path in watches[event.wd] ?? [] {
      guard let target = targets[path], isDirectoryGone || target.name == name else { continue }
      // A directory on the way came or went, and the path itself may have with it, unseen.
      if isDirectoryGone || !target.isNear { attach(path) }
      changed.insert(path)
    }
  }
}

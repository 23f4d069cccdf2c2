import CLinux
import Glibc

/// Tells when a path comes, goes, or leads to another file: inotify on the directory that holds it.
///
/// Package upgrades and `ln -sf` replace files by renaming, which a watch on the file itself would
/// miss. Where the directory does not exist, the nearest one above is watched until it does. Never
/// fails: a machine without inotify just reports nothing. On the loop's thread only. See inotify(7).
package final class PathWatcher {
  private struct Target {
    var path: [Substring]
    var handler: () -> Void
    /// The watch it hangs on, and the name in that directory that matters to it.
    var watch: Int32 = -1
    var name: Substring = ""
    /// Whether `name` is the path's last component, so that the directory holding it exists.
    var isNear = false
  }

  private let reactor: Reactor
  private let descriptor: Descriptor
  private var targets: [Target] = []

  package init(reactor: Reactor) {
    self.reactor = reactor
    descriptor = Descriptor(owning: inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)))
    guard descriptor.raw >= 0 else { return }
    try? reactor.watch(descriptor.raw, .readable) { [weak self] _ in self?.readEvents() }
  }

  /// Calls `handler` on the loop each time something happens to the absolute path.
  package func watch(_ path: String, _ handler: @escaping () -> Void) {
    var target = Target(path: path.split(separator: "/"), handler: handler)
    attach(&target)
    targets.append(target)
  }

  /// Forgets all paths, to watch others.
  package func removeAll() {
    for watch in Set(targets.map(\.watch)) where watch >= 0 {
      inotify_rm_watch(descriptor.raw, watch)
    }
    targets = []
  }

  /// Watches nothing any more.
  package func cancel() {
    removeAll()
    reactor.unwatch(descriptor.raw)
  }

  /// Hangs the target on the deepest directory that exists.
  private func attach(_ target: inout Target) {
    target.watch = -1
    guard descriptor.raw >= 0, !target.path.isEmpty else { return }
    for depth in stride(from: target.path.count - 1, through: 0, by: -1) {
      let directory = "/" + target.path[..<depth].joined(separator: "/")
      let isNear = depth == target.path.count - 1
      var mask = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      if isNear { mask |= IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE }
      // Two targets may share a directory: add to its mask, do not replace it.
      let watch = inotify_add_watch(
        descriptor.raw,
        directory,
        UInt32(mask) | UInt32(IN_MASK_ADD)
      )
      if watch >= 0 {
        target.watch = watch
        target.name = target.path[depth]
        target.isNear = isNear
        return
      }
    }
  }

  private func readEvents() {
    var changed: Set<Int> = []
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
    for index in changed.sorted() where index < targets.count { targets[index].handler() }
  }

  private func note(_ event: inotify_event, _ name: String, _ changed: inout Set<Int>) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
      changed.formUnion(targets.indices)
      return
    }
    let isDirectoryGone =
      event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
    for index in targets.indices where targets[index].watch == event.wd {
      if isDirectoryGone {
        // A moved directory keeps its watch, which would tell of a place we no longer mean.
        inotify_rm_watch(descriptor.raw, event.wd)
        attach(&targets[index])
      } else if targets[index].name != name {
        continue
      } else if !targets[index].isNear {
        // A directory on the way came, and the path itself may have come with it, unseen.
        attach(&targets[index])
        if !targets.contains(where: { $0.watch == event.wd }) {
          inotify_rm_watch(descriptor.raw, event.wd)
        }
      }
      changed.insert(index)
    }
  }
}

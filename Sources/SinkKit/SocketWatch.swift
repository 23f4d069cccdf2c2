import Glibc

/// Tells when one of several paths may have come into being: inotify on the folders that hold them.
///
/// Where the folder does not exist, the nearest one above is watched until it does. A machine without
/// inotify just reports nothing. See inotify(7).
final class SocketWatch {
  /// Readable when something happened; -1 without inotify.
  let descriptor: CInt
  private let paths: [String]
  /// The names that matter in each folder that is watched.
  private var names: [CInt: Set<String>] = [:]

  init(_ paths: [String]) {
    self.paths = paths
    descriptor = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    attach()
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Takes out what happened, and says whether it may be what is waited for.
  func takeEvents() -> Bool {
    var matters = false
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var position = 0
        while position < count {
          let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
          let start = position + MemoryLayout<inotify_event>.size
          position = start + Int(event.len)
          let name = String(decoding: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
          // Without a name it is the folder itself that went, or the queue that overflowed.
          matters = matters || name.isEmpty || names[event.wd]?.contains(name) == true
        }
      }
    }
    if matters { attach() }
    return matters
  }

  private func attach() {
    guard descriptor >= 0 else { return }
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    var wanted: [CInt: Set<String>] = [:]
    for path in paths where path.hasPrefix("/") {
      var parts = path.split(separator: "/")
      while let name = parts.popLast() {
        let folder = "/" + parts.joined(separator: "/")
        let watch = inotify_add_watch(descriptor, folder, UInt32(mask))
        guard watch >= 0 else { continue }
        wanted[watch, default: []].insert(String(name))
        break
      }
    }
    for watch in names.keys where wanted[watch] == nil { inotify_rm_watch(descriptor, watch) }
    names = wanted
  }
}

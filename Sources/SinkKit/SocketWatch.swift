import Glibc

/// Tells when one of several paths may have come into being, from the folders that hold them.
///
/// Where the folder does not exist, the nearest one above is watched until it does.
final class SocketWatch {
  /// Readable when something happened.
  var descriptor: CInt { folders.descriptor }

  private let folders: FolderWatch
  private let paths: [String]
  /// The names that matter in each folder that is watched.
  private var names: [CInt: Set<String>] = [:]

  /// Nil on a machine without inotify.
  init?(_ paths: [String]) {
    guard let folders = FolderWatch() else { return nil }
    self.folders = folders
    self.paths = paths
    attach()
  }

  /// Takes out what happened, and says whether it may be what is waited for.
  func takeEvents() -> Bool {
    let matters = folders.take().contains { event in
      // Without a name it is the folder itself that went, or the queue that overflowed.
      event.name.isEmpty || names[event.place]?.contains(event.name) == true
    }
    if matters { attach() }
    return matters
  }

  private func attach() {
    let mask =
      IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    var wanted: [CInt: Set<String>] = [:]
    for path in paths where path.hasPrefix("/") {
      var parts = path.split(separator: "/")
      while let name = parts.popLast() {
        guard let place = folders.add("/" + parts.joined(separator: "/"), mask) else {
          continue
        }
        wanted[place, default: []].insert(String(name))
        break
      }
    }
    for place in names.keys where wanted[place] == nil { folders.remove(place) }
    names = wanted
  }
}

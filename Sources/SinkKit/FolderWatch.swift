import Glibc

/// Tells what happens in folders and to files, by inotify(7); used by one thread.
///
/// What is to be made of it is the caller's: this reads, and waits for nothing.
package final class FolderWatch {
  /// One thing that happened.
  package struct Event: Hashable, Sendable {
    /// The number that `add` gave for the place; -1 if some events were lost.
    package var place: CInt
    /// What happened, such as `IN_CREATE`.
    package var mask: UInt32
    /// The name in the folder; empty if it is about the place itself.
    package var name: String
  }

  /// Readable when something happened.
  package let descriptor: CInt

  /// Nil if the system has no inotify, or no more of it for this user.
  package init?() {
    let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Watches a folder or file for the events in `mask`; a mask given before is replaced.
  ///
  /// - Returns: the number of the place, the same as before if it was watched; nil if it is not there
  ///   or cannot be watched.
  package func add(_ path: String, _ mask: CInt) -> CInt? {
    let place = inotify_add_watch(descriptor, path, UInt32(mask))
    return place >= 0 ? place : nil
  }

  /// Watches a place no more.
  package func remove(_ place: CInt) { inotify_rm_watch(descriptor, place) }

  /// Takes out what happened; nothing if nothing did.
  package func take() -> [Event] {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      var events: [Event] = []
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return events }
        var position = 0
        while position < count {
          let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
          let start = position + MemoryLayout<inotify_event>.size
          position = start + Int(event.len)
          let name = String(decoding: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
          events.append(Event(place: event.wd, mask: event.mask, name: name))
        }
      }
    }
  }
}
